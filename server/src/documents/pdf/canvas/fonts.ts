import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { LRUCache } from 'lru-cache'

export type Weight = 'regular' | 'semibold'

/** A font in one weight: which characters it has, how wide a text is, and what pdfkit embeds. */
export interface DocumentFont {
  readonly name: string
  /** For pdfkit's `registerFont`. */
  readonly source: Font
  readonly hasGlyph: (codePoint: number) => boolean
  /** The width of a text in one line, in points. */
  readonly width: (text: string, size: number) => number
}

/** Inter in the weights that documents use. The first call in a thread reads the files. */
export const fonts = (): Readonly<Record<Weight, DocumentFont>> => (openedFonts ??= openFonts())

let openedFonts: Readonly<Record<Weight, DocumentFont>> | undefined

const openFonts = (): Readonly<Record<Weight, DocumentFont>> => ({
  regular: openFont(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  semibold: openFont(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
})

const openFont = (file: string): DocumentFont => {
  const font = create(readFileSync(fileURLToPath(file))) as CachingFont
  forgetGlyphs(font)
  const layout = cachedLayout(font)
  const wordWidth = (word: string) => layout(word).advanceWidth
  return {
    name: font.postscriptName,
    source: Object.create(font, { layout: { value: layout }, createSubset: { value: () => newSubset(font) } }) as Font,
    hasGlyph: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    width: (text, size) => (wordsOf(text).reduce((sum, word) => sum + wordWidth(word), 0) * size) / font.unitsPerEm,
  }
}

/** What fontkit does not declare: its cache of glyphs by id. */
interface CachingFont extends Font {
  readonly _glyphs: Record<number, unknown>
}

/**
 * Makes fontkit create a glyph for each call. It would keep one for ever with the characters of the first call, which are none when the
 * glyph is a part of another one, and other ones when two characters share a glyph.
 */
const forgetGlyphs = (font: CachingFont): void => {
  const getGlyph = font.getGlyph.bind(font)
  font.getGlyph = (id, characters) => {
    delete font._glyphs[id]
    return getGlyph(id, characters)
  }
}

/** What fontkit does not declare: the font's glyphs in the order of the subset, and their positions by id. */
interface Subset {
  readonly glyphs: number[]
  readonly mapping: Record<number | string, number>
  includeGlyph(id: number | string): number
}

/** The part of a font that a document embeds. Glyphs that stand for different characters have a place each, because a PDF names the characters of a place. */
const newSubset = (font: Font): Subset => {
  const subset = font.createSubset() as unknown as Subset
  const includeGlyph = subset.includeGlyph.bind(subset)
  subset.includeGlyph = (id) =>
    typeof id === 'number' ? includeGlyph(id) : (subset.mapping[id] ??= subset.glyphs.push(Number.parseInt(id)) - 1)
  return subset
}

/** Split as pdfkit splits a line before layout, so that measuring and drawing share cache entries. */
const wordsOf = (text: string): readonly string[] => text.match(/[^ \t]+[ \t]?|[ \t]/g) ?? []

/** Cache size per font, and the longest cached word. */
const MAX_CACHED_WORDS = 20_000
const MAX_CACHED_WORD_LENGTH = 64

/** A glyph as pdfkit reads it; its id names glyph and characters, for `newSubset`. */
interface Glyph {
  readonly id: string
  readonly codePoints: readonly number[]
  readonly advanceWidth: number
}

interface GlyphRun {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly { readonly xAdvance: number }[]
}

/** Layout of a word takes 0.1 ms and invoices repeat their words, so layouts are cached. */
const cachedLayout = (font: Font): ((word: string) => ReturnType<typeof copyOfRun>) => {
  const cache = new LRUCache<string, GlyphRun>({ max: MAX_CACHED_WORDS })
  return (word) => {
    const glyphRun = cache.get(word) ?? layoutOf(font, word)
    if (word.length <= MAX_CACHED_WORD_LENGTH) cache.set(word, glyphRun)
    return copyOfRun(glyphRun)
  }
}

/**
 * Digits have one width and no kerning, so that columns align; contextual forms are off, because they print "->" as "→". Each call gets a
 * copy of the features, because fontkit adds those that it applied.
 */
const layoutOf = (font: Font, word: string): GlyphRun => {
  const runs = (word.match(/\d+|\D+/g) ?? []).map((run) => font.layout(run, { ...(/\d/.test(run) ? FIGURES : LETTERS) }))
  return { glyphs: runs.flatMap((run) => run.glyphs.map(toGlyph)), positions: runs.flatMap((run) => run.positions) }
}

const toGlyph = ({ id, codePoints, advanceWidth }: ReturnType<Font['layout']>['glyphs'][number]): Glyph => ({
  id: `${id}:${codePoints.join()}`,
  codePoints,
  advanceWidth,
})

const FIGURES = { tnum: true, kern: false, calt: false }
const LETTERS = { calt: false }

/** pdfkit scales the positions in place and reads the width afterwards, so it needs its own copy. */
const copyOfRun = ({ glyphs, positions }: GlyphRun): GlyphRun & { readonly advanceWidth: number } => ({
  glyphs,
  positions: positions.map((position) => ({ ...position })),
  get advanceWidth() {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  },
})
