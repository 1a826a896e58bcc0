import LineBreaker from 'linebreak'
import type { DocumentFont } from './fonts.ts'

/** A longer word never fits in a line, so it is not measured. */
const MAX_MEASURED_LENGTH = 1_000

/**
 * Wraps a text into lines of at most `width` points.
 *
 * Breaks where Unicode allows it (UAX 14) and at every "\n"; a word that is wider than a line is broken anywhere.
 * Returns at least one line. Lines keep their trailing space, so that joined they equal the text; it does not count
 * towards the width.
 */
export const wrapLines = (text: string, font: DocumentFont, size: number, width: number): readonly string[] => {
  const measure = (part: string) => (part.length > MAX_MEASURED_LENGTH ? Infinity : font.width(part, size))
  const lines: string[] = []
  let line = ''
  let usedWidth = 0
  for (const { part, endsLine } of breakableParts(text)) {
    const neededWidth = measure(part.trimEnd())
    if (line !== '' && usedWidth + neededWidth > width) {
      lines.push(line)
      line = ''
      usedWidth = 0
    }
    const pieces = neededWidth > width ? splitWord(part, measure, width) : [part]
    lines.push(...pieces.slice(0, -1))
    line += pieces.at(-1) ?? ''
    usedWidth += measure(pieces.at(-1) ?? '')
    if (endsLine) {
      lines.push(line)
      line = ''
      usedWidth = 0
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

function* breakableParts(text: string): Generator<{ part: string; endsLine: boolean }> {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let lineBreak = breaker.nextBreak(); lineBreak !== null; lineBreak = breaker.nextBreak()) {
    const part = text.slice(start, lineBreak.position)
    yield { part: part.replaceAll('\n', ' '), endsLine: part.endsWith('\n') }
    start = lineBreak.position
  }
}

const splitWord = (word: string, measure: (part: string) => number, width: number): readonly string[] => {
  const pieces: string[] = []
  let piece = ''
  let usedWidth = 0
  for (const character of word) {
    const neededWidth = measure(character)
    if (piece !== '' && usedWidth + neededWidth > width) {
      pieces.push(piece)
      piece = ''
      usedWidth = 0
    }
    piece += character
    usedWidth += neededWidth
  }
  return [...pieces, piece]
}

/** The first `maxLines` lines of `wrapLines`; the last ends in "…" when there are more. */
export const wrapMaxLines = (text: string, font: DocumentFont, size: number, width: number, maxLines: number): readonly string[] => {
  const lines = wrapLines(text, font, size, width)
  if (lines.length <= maxLines) return lines
  const [last = ''] = wrapLines(lines[maxLines - 1] ?? '', font, size, width - font.width('…', size))
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`]
}
