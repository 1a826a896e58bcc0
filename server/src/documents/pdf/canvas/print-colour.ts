type Rgb = readonly [number, number, number]

/** Over the 4.5 : 1 of WCAG by what the tinted panel takes. */
const LEAST_CONTRAST = 5.2
const DARKER = 0.96
const FALLBACK = '#1f2937'

/** A brand's colour for text and rules on white: darkened, hue kept, until it is legible. Dark grey when it is no #rrggbb. */
export const legibleOnWhite = (colour: string): string => {
  let rgb = rgbOf(colour)
  while (contrastWithWhite(rgb) < LEAST_CONTRAST) rgb = mapped(rgb, (channel) => channel * DARKER)
  return hexOf(rgb)
}

/** A brand's colour mixed into white, for grounds and bands: 0 is white, 1 the colour. */
export const tinted = (colour: string, share: number): string => hexOf(mapped(rgbOf(colour), (channel) => 255 - (255 - channel) * share))

const rgbOf = (colour: string): Rgb => {
  const hex = /^#[\da-f]{6}$/i.test(colour) ? colour : FALLBACK
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

const mapped = ([red, green, blue]: Rgb, change: (channel: number) => number): Rgb => [change(red), change(green), change(blue)]

const hexOf = (rgb: Rgb): string => `#${rgb.map((channel) => Math.floor(channel).toString(16).padStart(2, '0')).join('')}`

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
const contrastWithWhite = (rgb: Rgb): number => {
  const [red, green, blue] = mapped(rgb, linear)
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
