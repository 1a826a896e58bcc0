import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import type { WordWeight } from './brand-identity.ts'

const STYLES = { regular: '400Regular', semibold: '600SemiBold', extrabold: '800ExtraBold' } as const

/** Creates a function that loads a font by weight, each file once. */
export const createFontLoader = (): ((weight: WordWeight) => Font) => {
  const fonts = new Map<WordWeight, Font>()
  return (weight) => {
    const font = fonts.get(weight) ?? openFont(STYLES[weight])
    fonts.set(weight, font)
    return font
  }
}

/** Reads one weight of Inter from its package. */
const openFont = (style: string): Font => {
  const file = import.meta.resolve(`@expo-google-fonts/inter/${style}/Inter_${style}.ttf`)
  return create(readFileSync(fileURLToPath(file))) as Font
}

/**
 * Converts a word to outlines, which look the same where no font can be loaded: in an `<img>` and in a PDF.
 * @returns the data of an SVG path whose baseline starts at (x, y), and the x at which the next word can start
 */
export const toTextOutline = (
  font: Font,
  text: string,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly spacing: number },
): { path: string; end: number } => {
  const scale = at.size / font.unitsPerEm
  const { glyphs, positions } = font.layout(text)
  let end = at.x
  const path = glyphs.map((glyph, index) => {
    const glyphPath = glyph.path.scale(scale, -scale).translate(end, at.y).toSVG()
    end += (positions[index]?.xAdvance ?? 0) * scale + at.spacing
    return glyphPath
  })
  return { path: path.join(''), end }
}
