import { create, type Font } from 'fontkit'
import { LRUCache } from 'lru-cache'
import { keepGlyphsByCharacters, newSubset } from './font-subset.ts'
import { lettersOf } from './letters.ts'
import { unpackWoff } from './unpack-woff.ts'

/** A font: which characters it has, how wide a text is, and what pdfkit embeds. */
export interface DocumentFont {
  /** Another one for each. */
  readonly name: string
  /** For pdfkit's `font`. It lays out a text that begins with RIGHT_TO_LEFT from right to left. */
  readonly source: Font
  readonly hasGlyph: (codePoint: number) => boolean
  /** The width of a text in one line, in points. */
  readonly width: (text: string, size: number) => number
}

type Features = Readonly<Record<string, boolean>>

/** The mark before a text that is read from right to left. */
export const RIGHT_TO_LEFT = '\u200f'

/**
 * The fonts in a TrueType, OpenType, collection or WOFF file.
 * @param features  OpenType features that are switched on or off in all texts
 * @throws Error when the file is no font
 */
export const openFonts = (file: Buffer, features: Features = {}): readonly DocumentFont[] => {
  const unpacked = unpackWoff(file)
  const content = create(unpacked)
  const fonts = 'fonts' in content ? content.fonts : [content]
  for (const font of fonts) assertUsable(font, unpacked.length)
  return fonts.map((font) => toDocumentFont(font, features))
}

/**
 * @throws Error for a font file that was cut, or has no outlines, as fonts of emoji are
 * fontkit reads a table when a letter needs it, so that such a file would break each document with that letter.
 */
const assertUsable = (font: Font, length: number): void => {
  // fontkit does not declare the places of the tables.
  const { directory } = font as unknown as { readonly directory: { readonly tables: Record<string, { offset: number; length: number }> } }
  const { tables } = directory
  if (Object.values(tables).some((table) => table.offset + table.length > length)) throw new Error('The file of the font is cut.')
  if (!OUTLINES.some((name) => name in tables)) throw new Error('The font has no outlines.')
  font.hasGlyphForCodePoint(SPACE)
}

/** The tables of outlines, of TrueType and OpenType. */
const OUTLINES = ['glyf', 'CFF ']

/** The parts of a font that is divided by scripts all have its name, by which pdfkit would take one for the other. */
let openedFonts = 0

/** The font for documents, under a name of its own, with cached layouts of words. */
const toDocumentFont = (font: Font, features: Features): DocumentFont => {
  keepGlyphsByCharacters(font)
  const layoutWords = cachedLayout(font, features)
  const layout = (text: string) => toGlyphRun(layoutWords(text))
  return {
    name: `${font.postscriptName} ${(openedFonts += 1)}`,
    source: Object.create(font, { layout: { value: layout }, createSubset: { value: () => newSubset(font) } }) as Font,
    hasGlyph: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    width: (text, size) => (layoutWords(text).reduce((sum, { width }) => sum + width, 0) * size) / font.unitsPerEm,
  }
}

/** The words of a text, each with the space after it. */
const wordsOf = (text: string): readonly string[] => text.match(/[^ \t]+[ \t]?|[ \t]/g) ?? []

/** Cache size per font, and the longest cached word. */
const MAX_CACHED_WORDS = 20_000
const MAX_CACHED_WORD_LENGTH = 64

type Position = ReturnType<Font['layout']>['positions'][number]

interface PlacedGlyph {
  readonly id: number
  readonly advanceWidth: number
  readonly position: Position
  /** The characters that search and copy in the PDF give for the glyph. */
  readonly text: string
}

/** A glyph as pdfkit reads it; its id names glyph and characters, for `newSubset`. */
interface Glyph {
  readonly id: string
  readonly codePoints: readonly number[]
  readonly advanceWidth: number
}

interface Word {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly Position[]
  /** In the font's units. */
  readonly width: number
}

/** Makes the function that lays out the words of a text, in their order on the page, and caches each word: invoices repeat theirs. */
const cachedLayout = (font: Font, features: Features): ((text: string) => readonly Word[]) => {
  const cache = new LRUCache<string, Word>({ max: MAX_CACHED_WORDS })
  const toGlyph = sharedGlyphs()
  const toWord = (placed: readonly PlacedGlyph[]): Word => ({
    glyphs: placed.map(toGlyph),
    positions: placed.map(({ position }) => position),
    width: placed.reduce((sum, { position }) => sum + position.xAdvance, 0),
  })
  const layoutWord = (word: string, isRightToLeft: boolean): Word => {
    const key = isRightToLeft ? RIGHT_TO_LEFT + word : word
    const laidOut = cache.get(key) ?? toWord(isRightToLeft ? rightToLeft(font, features, word) : leftToRight(font, features, word))
    if (word.length <= MAX_CACHED_WORD_LENGTH) cache.set(key, laidOut)
    return laidOut
  }
  return (text) => {
    const isRightToLeft = text.startsWith(RIGHT_TO_LEFT)
    const words = wordsOf(isRightToLeft ? text.slice(1) : text).map((word) => layoutWord(word, isRightToLeft))
    return isRightToLeft ? words.toReversed() : words
  }
}

/** The glyphs of words as pdfkit reads them. It scales the positions in place, so they are copies. */
const toGlyphRun = (words: readonly Word[]) => ({
  glyphs: words.flatMap(({ glyphs }) => glyphs),
  positions: words.flatMap(({ positions }) => positions.map((position) => ({ ...position }))),
  get advanceWidth() {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  },
})

/** Digits have one width and no kerning, so that columns align. */
const FIGURES: Features = { tnum: true, kern: false }

/** Lays out a word that is read from left to right. Its digits have one width and no kerning. */
const leftToRight = (font: Font, features: Features, word: string): readonly PlacedGlyph[] =>
  (word.match(/\d+|\D+/g) ?? []).flatMap((run) => {
    const placed = layoutRun(font, { ...features, ...(/\d/.test(run) ? FIGURES : {}) }, run, 'ltr')
    return withMarks(isInReadingOrder(placed, run) ? placed : lettersOf(run).flatMap((letter) => layoutLetter(font, features, letter)))
  })

/** Lays out a word that is read from right to left; its glyphs stand in their order on the page. */
const rightToLeft = (font: Font, features: Features, word: string): readonly PlacedGlyph[] => layoutRun(font, features, word, 'rtl')

/** Assigns the characters of marks to their base glyphs, because PDF viewers take a mark above a line for another line. */
const withMarks = (glyphs: readonly PlacedGlyph[]): readonly PlacedGlyph[] => {
  const placed = [...glyphs]
  for (let at = placed.length - 1; at > 0; at--) {
    const [base, mark] = placed.slice(at - 1, at + 1) as [PlacedGlyph, PlacedGlyph]
    if (mark.position.xAdvance === 0) placed.splice(at - 1, 2, { ...base, text: base.text + mark.text }, { ...mark, text: '' })
  }
  return placed
}

/**
 * Lays out one letter. The glyphs of some scripts stand in another order than the letter's characters. Such glyphs are assigned the
 * characters in reading order, one each and the last glyph the rest, so that search and copy in the PDF give the right text.
 */
const layoutLetter = (font: Font, features: Features, letter: string): readonly PlacedGlyph[] => {
  const placed = layoutRun(font, features, letter, 'ltr')
  if (isInReadingOrder(placed, letter)) return placed
  const characters = [...letter.replace(JOINERS, '')]
  return placed.map((one, at) => ({ ...one, text: characters.slice(at, at === placed.length - 1 ? undefined : at + 1).join('') }))
}

const JOINERS = /[\u200c\u200d]/g

/**
 * Whether the characters of the glyphs, in their order on the page, are the text without its joiners: then search and copy give the text.
 */
const isInReadingOrder = (placed: readonly PlacedGlyph[], text: string): boolean =>
  placed.map((one) => one.text).join('') === text.replace(JOINERS, '')

/** Lays out characters in a direction. The glyphs stand in their order on the page; joiners have none. */
const layoutRun = (font: Font, features: Features, text: string, direction: 'ltr' | 'rtl'): readonly PlacedGlyph[] => {
  // A copy of the features, because fontkit adds those that it applied.
  const { glyphs, positions } = font.layout(text, { ...features }, undefined, undefined, direction)
  return glyphs.flatMap(({ id, codePoints, advanceWidth }, at) => {
    const position = positions[at] as Position
    // fontkit puts a space without width in place of a joiner.
    const isJoiner = codePoints[0] === SPACE && position.xAdvance === 0
    return isJoiner ? [] : [{ id, advanceWidth, position, text: String.fromCodePoint(...codePoints) }]
  })
}

const SPACE = 0x20

/** Makes the function that gives a glyph's object, one for each glyph and its characters in all words. */
const sharedGlyphs = (): ((placed: PlacedGlyph) => Glyph) => {
  const known = new Map<string, Glyph>()
  return ({ id: glyphId, advanceWidth, text }) => {
    const id = `${glyphId}:${text}`
    const found = known.get(id)
    if (found !== undefined) return found
    const glyph = { id, codePoints: Array.from(text, (character) => character.codePointAt(0) ?? 0), advanceWidth }
    known.set(id, glyph)
    return glyph
  }
}
