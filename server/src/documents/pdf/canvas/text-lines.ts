import LineBreaker from 'linebreak'
import type { Weight } from './fonts.ts'
import { lettersOf } from './letters.ts'
import { directionMark, isRightToLeft, lineWidth } from './text-runs.ts'

/** A longer word never fits in a line, so it is not measured. */
const MAX_MEASURED_LENGTH = 1_000

/**
 * Wraps a text into lines of at most `width` points.
 *
 * Breaks where Unicode allows it (UAX 14) and at every "\n"; a word that is wider than a line is broken anywhere.
 * Returns at least one line. Lines keep their trailing space, so that joined they equal the text; it does not count
 * towards the width. A line begins with a direction mark where its paragraph has another direction than its own letters.
 */
export const wrapLines = (text: string, weight: Weight, size: number, width: number): readonly string[] => {
  const measure = (part: string) => (part.length > MAX_MEASURED_LENGTH ? Infinity : lineWidth(part, weight, size))
  const lines: string[] = []
  let paragraphStart = 0
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
      markDirections(lines, paragraphStart)
      paragraphStart = lines.length
      line = ''
      usedWidth = 0
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  markDirections(lines, paragraphStart)
  return lines
}

/** Puts a direction mark before lines whose letters have another direction than the paragraph's first line. Changes `lines`. */
const markDirections = (lines: string[], paragraphStart: number): void => {
  const paragraphDirection = isRightToLeft(lines[paragraphStart] ?? '')
  for (let at = paragraphStart + 1; at < lines.length; at++) lines[at] = directionMark(lines[at] ?? '', paragraphDirection) + lines[at]
}

/** The parts between which a line may break (UAX 14), and whether a line must end after one. */
function* breakableParts(text: string): Generator<{ part: string; endsLine: boolean }> {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let lineBreak = breaker.nextBreak(); lineBreak !== null; lineBreak = breaker.nextBreak()) {
    const part = text.slice(start, lineBreak.position)
    yield { part: part.replaceAll('\n', ' '), endsLine: part.endsWith('\n') }
    start = lineBreak.position
  }
}

/**
 * Breaks a word between letters into pieces that fit into lines.
 * A letter is as wide as it makes the one before it, because of kerning and joined letters.
 */
const splitWord = (word: string, measure: (part: string) => number, width: number): readonly string[] => {
  const pieces: string[] = []
  let piece = ''
  let last = ''
  let usedWidth = 0
  for (const letter of lettersOf(word)) {
    const neededWidth = measure(last + letter) - measure(last)
    if (piece !== '' && usedWidth + neededWidth > width) {
      pieces.push(piece)
      piece = ''
      usedWidth = 0
    }
    usedWidth += piece === '' ? measure(letter) : neededWidth
    piece += letter
    last = letter
  }
  return [...pieces, piece]
}

/** The first `maxLines` lines of `wrapLines`; the last ends in "…" when there are more. */
export const wrapMaxLines = (text: string, weight: Weight, size: number, width: number, maxLines: number): readonly string[] => {
  const lines = wrapLines(text, weight, size, width)
  if (lines.length <= maxLines) return lines
  const [last = ''] = wrapLines(lines[maxLines - 1] ?? '', weight, size, width - lineWidth('…', weight, size))
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`]
}
