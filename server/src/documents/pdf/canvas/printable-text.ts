import type { DocumentFont } from './fonts.ts'

/** Replaces a character that cannot be printed, so that a reader sees that something is missing. */
const MISSING = '□'

const ASCII = /^[\n\x20-\x7e]*$/
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const CONTROL = /\p{Cc}/u
const SPACE = /^[\t\p{Zs}]$/u
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Converts a text to the characters that a font has.
 *
 * Line ends become "\n", unknown spaces plain spaces; marks without a glyph (joiners, variation selectors,
 * direction marks, soft hyphens) are dropped; every other character, control character or emoji that the font lacks
 * becomes one MISSING sign.
 */
export const toPrintableText = (text: string, font: DocumentFont): string => {
  if (ASCII.test(text)) return text
  const clean = text.toWellFormed().normalize('NFC').replace(LINE_ENDS, '\n')
  return Array.from(clusters.segment(clean), ({ segment }) => toPrintableCluster(segment, font)).join('')
}

const toPrintableCluster = (cluster: string, font: DocumentFont): string => {
  const visible = cluster.replace(INVISIBLE, '')
  if (visible === '\n' || canPrint(visible, font)) return visible
  return SPACE.test(visible) ? ' ' : MISSING
}

/** Fonts may have empty glyphs for control characters. */
const canPrint = (cluster: string, font: DocumentFont): boolean =>
  !CONTROL.test(cluster) && [...cluster].every((character) => font.hasGlyph(character.codePointAt(0) ?? 0))
