import bidiFactory, { type Bidi } from 'bidi-js'
import { fontOfCharacters, mainFont, type Weight } from './fonts.ts'
import { lettersOf } from './letters.ts'
import { type DocumentFont, RIGHT_TO_LEFT } from './open-font.ts'

/** A part of a line in one font and one direction. A part that is read from right to left begins with RIGHT_TO_LEFT. */
export interface TextRun {
  readonly font: DocumentFont
  readonly text: string
}

const LEFT_TO_RIGHT = '\u200e'
const DIRECTION_MARK = /[\u200e\u200f]/
const ASCII = /^[\x20-\x7e]*$/
/** Its types take the function for a property. */
const { getEmbeddingLevels, getMirroredCharacter, getReorderedIndices } = (bidiFactory as unknown as () => Bidi)()

/** True when the first letter or direction mark of a line is read from right to left. */
export const isRightToLeft = (line: string): boolean => !ASCII.test(line) && getEmbeddingLevels(line).paragraphs[0]?.level === 1

/** The mark that makes a line read in this direction; empty where its own letters say so already. */
export const directionMark = (line: string, shouldBeRightToLeft: boolean): string => {
  if (isRightToLeft(line) === shouldBeRightToLeft) return ''
  return shouldBeRightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT
}

/** The width of a line of printable text, in points. */
export const lineWidth = (line: string, weight: Weight, size: number): number =>
  textRuns(line, weight).reduce((sum, { font, text }) => sum + font.width(text, size), 0)

/** Divides a line of printable text into runs, in their order on the page from left to right (UAX 9). */
export const textRuns = (line: string, weight: Weight): readonly TextRun[] => {
  if (ASCII.test(line)) return [{ font: mainFont(weight), text: line }]
  const fonts = fontsOfLine(line, weight)
  const embedding = getEmbeddingLevels(line)
  const runs: { readonly font: DocumentFont; readonly isReversed: boolean; start: number; end: number }[] = []
  for (const at of getReorderedIndices(line, embedding)) {
    const font = fonts[at]
    if (font === undefined) continue
    const isReversed = (embedding.levels[at] ?? 0) % 2 === 1
    const run = runs.at(-1)
    if (run?.font !== font || run.isReversed !== isReversed || at !== (isReversed ? run.start - 1 : run.end))
      runs.push({ font, isReversed, start: at, end: at + 1 })
    else if (isReversed) run.start = at
    else run.end = at + 1
  }
  return runs.map(({ font, isReversed, start, end }) => {
    const text = line.slice(start, end)
    return { font, text: isReversed ? RIGHT_TO_LEFT + mirror(text) : text }
  })
}

/** Replaces each bracket by the one that opens to the other side. */
const mirror = (text: string): string => Array.from(text, (character) => getMirroredCharacter(character) ?? character).join('')

const SPACE = 0x20

/** The font of each UTF-16 unit; none for a direction mark. A space has the font of the letter before it. */
const fontsOfLine = (line: string, weight: Weight): readonly (DocumentFont | undefined)[] => {
  const fonts: (DocumentFont | undefined)[] = []
  for (const letter of lettersOf(line)) {
    const before = fonts.at(-1)
    const font = letter === ' ' && before?.hasGlyph(SPACE) === true ? before : fontOfLetter(letter, weight)
    for (let unit = 0; unit < letter.length; unit++) fonts.push(font)
  }
  return fonts
}

/** The font of a letter: one that has it, else the main font; undefined for a direction mark. */
const fontOfLetter = (letter: string, weight: Weight): DocumentFont | undefined =>
  DIRECTION_MARK.test(letter) ? undefined : (fontOfCharacters(letter, weight) ?? mainFont(weight))
