import { textColourOn } from '@counterfoil/contract/kit/colour/contrast'
import type { Glyph } from 'fontkit'
import { fontOfCharacters } from '../pdf/canvas/fonts.ts'
import { encodePng } from './png.ts'
import { fillRows, flattenPath, type Point } from './scan-path.ts'

/** What an icon is drawn from: the first letter of the brand's name, on its primary colour. */
export interface IconBrand {
  readonly name: string
  readonly colour: string
}

/** The size that phones ask for. */
const TOUCH_ICON_SIZE = 180
const LETTER_HEIGHT = 0.5
const MAX_LETTER_WIDTH = 0.66
const SVG_SIZE = 64

/** An icon for a browser's tab as SVG: the name's first letter on the brand's colour. */
export const drawSvgIcon = ({ name, colour }: IconBrand): string => {
  const letter = letterOf(name, SVG_SIZE)
  const path = letter.map((outline) => `M${outline.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}z`).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SVG_SIZE} ${SVG_SIZE}" width="${SVG_SIZE}" height="${SVG_SIZE}">` +
    `<rect width="${SVG_SIZE}" height="${SVG_SIZE}" rx="14" fill="${colour}"/><path fill="${textColourOn(colour)}" d="${path}"/></svg>`
  )
}

/**
 * An icon for a phone's home screen as PNG: the name's first letter on the brand's colour.
 * Its corners are not rounded, because the phone rounds them.
 */
export const drawPngIcon = ({ name, colour }: IconBrand): Buffer => {
  const [background, ink] = [rgbOf(colour), rgbOf(textColourOn(colour))]
  const pixels = Buffer.alloc(TOUCH_ICON_SIZE * TOUCH_ICON_SIZE * 3)
  let at = 0
  for (const row of fillRows(letterOf(name, TOUCH_ICON_SIZE), TOUCH_ICON_SIZE)) {
    for (const share of row) {
      for (const channel of [0, 1, 2] as const)
        pixels[at + channel] = Math.round(background[channel] + (ink[channel] - background[channel]) * share)
      at += 3
    }
  }
  return encodePng(pixels, TOUCH_ICON_SIZE)
}

type Rgb = readonly [number, number, number]

/** Red, green and blue of "#rrggbb", 0 to 255. */
const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb

/** The outlines of the first letter, in the middle of a square; none where no font has the letter. */
const letterOf = (name: string, size: number): Point[][] => {
  const codePoint = (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '').toLocaleUpperCase('en').codePointAt(0)
  if (codePoint === undefined) return []
  const source = fontOfCharacters(String.fromCodePoint(codePoint), 'semibold')?.source
  return source === undefined ? [] : toCentred(source.glyphForCodePoint(codePoint), source.capHeight, size)
}

/** A glyph's outlines, scaled to the height of capitals and moved to the middle of a square. */
const toCentred = ({ path }: Glyph, capHeight: number, size: number): Point[][] => {
  const { minX, minY, maxX, maxY } = path.bbox
  const scale = Math.min((size * LETTER_HEIGHT) / capHeight, (size * MAX_LETTER_WIDTH) / Math.max(1, maxX - minX))
  const toSquare = ([x, y]: Point): Point => [size / 2 + (x - (minX + maxX) / 2) * scale, size / 2 - (y - (minY + maxY) / 2) * scale]
  return flattenPath(path.commands).map((outline) => outline.map(toSquare))
}
