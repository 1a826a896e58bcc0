import LineBreaker from 'linebreak'
import type { Face } from './fonts.ts'

/** Nobody sets so many characters in one line; measuring the whole of such a word would only cost time. */
const ENDLESS = 1_000

/**
 * A text broken into lines that are at most so wide (in points).
 *
 * Breaks where Unicode allows it (UAX 14) and at every "\n"; a word that is wider than a line is broken anywhere.
 * Gives at least one line; an empty text gives one empty line. Lines keep the space at which they were broken, so that
 * joined they read as the text did; it does not count into their width.
 */
export const linesOf = (text: string, face: Face, size: number, width: number): readonly string[] => {
  const measure = (part: string) => (part.length > ENDLESS ? Infinity : face.width(part, size))
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const { part, ends } of partsOf(text)) {
    const needed = measure(part.trimEnd())
    if (line !== '' && used + needed > width) {
      lines.push(line)
      line = ''
      used = 0
    }
    const pieces = needed > width ? brokenWord(part, measure, width) : [part]
    lines.push(...pieces.slice(0, -1))
    line += pieces.at(-1) ?? ''
    used += measure(pieces.at(-1) ?? '')
    if (ends) {
      lines.push(line)
      line = ''
      used = 0
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

function* partsOf(text: string): Generator<{ part: string; ends: boolean }> {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const part = text.slice(start, found.position)
    yield { part: part.replaceAll('\n', ' '), ends: part.endsWith('\n') }
    start = found.position
  }
}

const brokenWord = (word: string, measure: (part: string) => number, width: number): readonly string[] => {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const character of word) {
    const needed = measure(character)
    if (piece !== '' && used + needed > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += character
    used += needed
  }
  return [...pieces, piece]
}

/** The first so many of the lines that `linesOf` gives; the last of them ends in "…" where there were more. */
export const firstLinesOf = (text: string, face: Face, size: number, width: number, most: number): readonly string[] => {
  const lines = linesOf(text, face, size, width)
  if (lines.length <= most) return lines
  const [last = ''] = linesOf(lines[most - 1] ?? '', face, size, width - face.width('…', size))
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`]
}
