/** A colour as lightness (0 to 1), chroma (0 to about 0.37) and hue (radians): OKLCH. Equal steps look equal to the eye. */
export interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

type Triple = readonly [number, number, number]

/** Whether the text is a colour written "#rrggbb". */
export const isHex = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text)

/** The OKLCH colour of "#rrggbb", a text that is not checked. */
export const oklchOf = (hex: string): Oklch => {
  const [l, a, b] = labOf(hex)
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) }
}

/** The nearest colour that a screen can show, as "#rrggbb": hue stays, chroma is reduced, lightness is kept between 0 and 1. */
export const hexOf = ({ l, c, h }: Oklch): string => {
  const light = Math.min(1, Math.max(0, l))
  if (isInGamut(linearOf({ l: light, c, h }))) return toHexText(linearOf({ l: light, c, h }))
  let [shown, beyond] = [0, c]
  for (let step = 0; step < 16; step += 1) {
    const middle = (shown + beyond) / 2
    if (isInGamut(linearOf({ l: light, c: middle, h }))) shown = middle
    else beyond = middle
  }
  return toHexText(linearOf({ l: light, c: shown, h }))
}

/** Mixes two colours "#rrggbb" into one, in OKLab: `share` (0 to 1) of the first, the rest of the second. */
export const mixColours = (first: string, second: string, share: number): string => {
  const [one, other] = [labOf(first), labOf(second)]
  const at = (index: 0 | 1 | 2): number => one[index] * share + other[index] * (1 - share)
  return hexOf({ l: at(0), c: Math.hypot(at(1), at(2)), h: Math.atan2(at(2), at(1)) })
}

/** Relative luminance, 0 (black) to 1 (white), as WCAG 2.2 defines it. */
export const luminance = (hex: string): number => {
  const [r, g, b] = linearRgb(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, 1 to 21, as WCAG 2.2 defines it. */
export const contrast = (first: string, second: string): number => {
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** A channel of sRGB (0 to 1) as linear light (IEC 61966-2-1). */
const toLinear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
/** Linear light (0 to 1) as a channel of sRGB (IEC 61966-2-1). */
const fromLinear = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** Red, green and blue of "#rrggbb" as linear light, 0 to 1 each. */
const linearRgb = (hex: string): Triple => {
  const channel = (at: number): number => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  return [channel(1), channel(3), channel(5)]
}

/** OKLab of "#rrggbb"; the matrices, and those of the way back below, are of Björn Ottosson's definition (2020), also in CSS Color 4. */
const labOf = (hex: string): Triple => {
  const [r, g, b] = linearRgb(hex)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

/** Red, green and blue of an OKLCH colour as linear light; below 0 or above 1 where no screen can show the colour. */
const linearOf = ({ l, c, h }: Oklch): Triple => {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** Whether a screen can show the colour, given as linear light. */
const isInGamut = (light: Triple): boolean => light.every((channel) => channel > -0.0005 && channel < 1.0005)

/** Linear light as "#rrggbb"; what is below 0 or above 1 is clipped. */
const toHexText = (light: Triple): string => `#${light.map((channel) => byte(fromLinear(Math.min(1, Math.max(0, channel))))).join('')}`

/** A channel of sRGB (0 to 1) as two hexadecimal digits. */
const byte = (channel: number): string =>
  Math.round(channel * 255)
    .toString(16)
    .padStart(2, '0')
