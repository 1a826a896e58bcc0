import { contrast } from '@counterfoil/contract/kit/colour/colour'

/** What can stand behind a logo. */
const PLATES = ['#ffffff', '#12161d'] as const
/** A part of a logo with less contrast than this cannot be made out. */
const MIN_LOGO_CONTRAST = 2
/** A logo with more of its ink lost than this needs a plate. */
const MAX_LOST_INK = 0.25
/** A picture that covers more of its field than this has a ground of its own. */
const MAX_COVERED = 0.95
const MIN_ALPHA = 128
/** The size at which a logo is looked at, in pixels; its proportions do not matter. */
const [WIDTH, HEIGHT] = [96, 32]

/** The colour of the plate that this logo needs on a ground; empty where it reads without one. */
export const plateFor = (image: HTMLImageElement, ground: string): string => choosePlate(inkOf(image), ground)

/** The colour of the plate that a logo with these colours of ink needs on a ground; empty where it reads without one. */
export const choosePlate = (ink: readonly string[], ground: string): string => {
  const lostOn = (background: string): number => ink.filter((colour) => contrast(colour, background) < MIN_LOGO_CONTRAST).length
  if (lostOn(ground) <= ink.length * MAX_LOST_INK) return ''
  return PLATES.toSorted((one, other) => lostOn(one) - lostOn(other)).find((plate) => lostOn(plate) < lostOn(ground)) ?? ''
}

/** The colours of the pixels that are not transparent; none of a picture with a ground of its own. */
const inkOf = (image: HTMLImageElement): string[] => {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const drawing = canvas.getContext('2d')
  drawing?.drawImage(image, 0, 0, WIDTH, HEIGHT)
  const data = drawing?.getImageData(0, 0, WIDTH, HEIGHT).data ?? []
  const ink: string[] = []
  for (let at = 0; at < data.length; at += 4)
    if ((data[at + 3] ?? 0) >= MIN_ALPHA)
      ink.push(`#${[0, 1, 2].map((channel) => (data[at + channel] ?? 0).toString(16).padStart(2, '0')).join('')}`)
  return ink.length > WIDTH * HEIGHT * MAX_COVERED ? [] : ink
}
