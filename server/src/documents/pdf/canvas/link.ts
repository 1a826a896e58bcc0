import { openElement, type Canvas } from './canvas.ts'

export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Draws a paragraph and makes areas of the current page links to a web address.
 * @param address  as `webAddress` gives it
 * @param description     what a reader that speaks calls the link
 */
export const drawLink = (canvas: Canvas, address: string, description: string, areas: readonly Area[], draw: () => void): void => {
  const paragraph = openElement(canvas, canvas.root, 'P')
  const link = openElement(canvas, paragraph, 'Link')
  link.add(draw)
  // pdfkit takes a String object for a text and a plain string for a name.
  const options = { structParent: link, Contents: Object(description) as string }
  for (const { left, top, width, height } of areas) canvas.pdf.link(left, top, width, height, address, options)
  // The page must not turn before this: pdfkit notes the page on which the element ends.
  paragraph.end()
}

/** No browser's address is longer, and a page holds it. */
const MAX_ADDRESS_LENGTH = 2_000

/** An http or https address in its normal form (ASCII only); null for every other text. */
export const webAddress = (text: string): string | null => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ADDRESS_LENGTH ? url.href : null
}
