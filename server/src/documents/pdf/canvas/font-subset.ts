import type { Font } from 'fontkit'

/**
 * Makes fontkit keep a glyph for each of its characters. It would keep one for ever with the characters of the first call, which are none
 * when the glyph is a part of another one, and other ones when two characters share a glyph.
 */
export const keepGlyphsByCharacters = (font: Font): void => {
  // fontkit does not declare its cache of glyphs by id.
  const { _glyphs: cachedGlyphs } = font as unknown as { readonly _glyphs: Record<number, unknown> }
  const getGlyph = font.getGlyph.bind(font)
  const known = new Map<string, ReturnType<Font['getGlyph']>>()
  font.getGlyph = (id, characters = []) => {
    const key = `${id}:${characters.join()}`
    const found = known.get(key)
    if (found !== undefined) return found
    delete cachedGlyphs[id]
    const glyph = getGlyph(id, characters)
    known.set(key, glyph)
    return glyph
  }
}

/** What fontkit does not declare: the font's glyphs in the order of the subset, and their places by id. */
interface Subset {
  readonly glyphs: number[]
  readonly mapping: Record<number | string, number>
  includeGlyph(id: number | string): number
}

/**
 * The part of a font that a document embeds. An id such as "36:A" names a glyph and its characters: glyphs that stand for different
 * characters have a place each, because a PDF names the characters of a place.
 */
export const newSubset = (font: Font): Subset => {
  const subset = font.createSubset() as unknown as Subset
  const includeGlyph = subset.includeGlyph.bind(subset)
  subset.includeGlyph = (id) =>
    typeof id === 'number' ? includeGlyph(id) : (subset.mapping[id] ??= subset.glyphs.push(Number.parseInt(id, 10)) - 1)
  return subset
}
