import { contrast } from '@counterfoil/contract/kit/colour/colour'

type Rgb = readonly [number, number, number]

/** Above the 4.5 : 1 of WCAG, because the tinted panel costs some contrast. */
const MIN_CONTRAST = 5.2
const DARKENING_FACTOR = 0.96
const FALLBACK = '#1f2937'

/** A brand's colour for text and rules on white, darkened until it is legible. Dark grey when it is not #rrggbb. */
export const toLegibleColour = (colour: string): string => {
  let rgb = parseRgb(colour)
  while (contrast(toHex(rgb), '#ffffff') < MIN_CONTRAST) rgb = mapChannels(rgb, (channel) => channel * DARKENING_FACTOR)
  return toHex(rgb)
}

/** A brand's colour mixed with white, for backgrounds: 0 is white, 1 is the colour. */
export const tint = (colour: string, strength: number): string =>
  toHex(mapChannels(parseRgb(colour), (channel) => 255 - (255 - channel) * strength))

/** Red, green and blue of "#rrggbb", 0 to 255; those of FALLBACK for any other text. */
const parseRgb = (colour: string): Rgb => {
  const hex = /^#[\da-f]{6}$/i.test(colour) ? colour : FALLBACK
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

const mapChannels = ([red, green, blue]: Rgb, toChannel: (channel: number) => number): Rgb => [
  toChannel(red),
  toChannel(green),
  toChannel(blue),
]

/** The colour as "#rrggbb"; channels are rounded down. */
const toHex = (rgb: Rgb): string => `#${rgb.map((channel) => Math.floor(channel).toString(16).padStart(2, '0')).join('')}`
