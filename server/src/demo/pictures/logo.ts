import type { Font } from 'fontkit'
import type { Logo, WordWeight } from './brand-identity.ts'
import { MARKS } from './marks.ts'
import { toTextOutline } from './text-outline.ts'

const HEIGHT = 40
const LETTERS = { y: 27.6, size: 21 }

/** A horizontal logo as SVG, 40 units high: the mark, then the name in outlines. */
export const drawLogo = (logo: Logo, fontOf: (weight: WordWeight) => Font): string => {
  let x = 50
  const paths = logo.words.map(({ text, weight }) => {
    const { path, end } = toTextOutline(fontOf(weight), text, { ...LETTERS, x, spacing: logo.spacing ?? 0 })
    x = end
    return path
  })
  const width = Math.ceil(x + 2)
  const name = logo.words.map(({ text }) => text).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img">` +
    `<title>${name}</title>${MARKS[logo.mark](logo.ink, logo.accent)}<path fill="${logo.ink}" d="${paths.join('')}"/></svg>`
  )
}

/** The mark of a logo alone as a square SVG, for a browser's tab. */
export const drawIcon = ({ mark, ink, accent }: Logo): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${HEIGHT} ${HEIGHT}" width="${HEIGHT}" height="${HEIGHT}">${MARKS[mark](ink, accent)}</svg>`
