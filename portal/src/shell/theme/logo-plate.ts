import { contrast } from '@counterfoil/contract/kit/colour/colour'

/** What can stand behind a logo. */
const PLATES = ['#ffffff', '#12161d'] as const
/** A part of a logo with less contrast than this cannot be made out. */
const MIN_LOGO_CONTRAST = 2
/** A logo with more of its ink lost than this needs a plate. */
const MAX_LOST_INK = 0.25
/** A picture that covers more of its field than this has a ground of its own. */
const MAX_COVERED = 0.95
const SAMPLE_WIDTH = 96
const MIN_ALPHA = 128

/** The colour of the plate that this logo needs on a ground; undefined where it reads without one. */
export const plateFor = (image: HTMLImageElement, ground: string): string | undefined => choosePlate(inkOf(image), ground)

/** The same for the colours of a logo's ink. */
export const choosePlate = (ink: readonly string[], ground: string): string | undefined => {
  const lostOn = (background: string): number => ink.filter((colour) => contrast(colour, background) < MIN_LOGO_CONTRAST).length
  if (lostOn(ground) <= ink.length * MAX_LOST_INK) return undefined
  return PLATES.toSorted((one, other) => lostOn(one) - lostOn(other)).find((plate) => lostOn(plate) < lostOn(ground))
}

/** The colours of the pixels that are not transparent; none of a picture with a ground of its own. */
const inkOf = (image: HTMLImageElement): string[] => {
  const canvas = document.createElement('canvas')
  canvas.width = SAMPLE_WIDTH
  canvas.height = Math.max(1, Math.round((SAMPLE_WIDTH * image.naturalHeight) / Math.max(1, image.naturalWidth)))
  const drawing = canvas.getContext('2d')
  if (drawing === null) return []
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height)
  const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height)
  const pixels = Array.from({ length: data.length / 4 }, (_, at) => data.subarray(at * 4, at * 4 + 4))
  const ink = pixels.filter(([, , , alpha = 0]) => alpha >= MIN_ALPHA)
  return ink.length > pixels.length * MAX_COVERED ? [] : ink.map(toHex)
}

const toHex = ([red = 0, green = 0, blue = 0]: Uint8ClampedArray): string =>
  `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
