import { openElement, type Canvas } from './canvas.ts'

export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Draws a paragraph and turns areas of the current page into links to a web address.
 * @param address  as `webAddress` returns it
 * @param description  the text that screen readers speak
 */
export const drawLink = (canvas: Canvas, address: string, description: string, areas: readonly Area[], draw: () => void): void => {
  const paragraph = openElement(canvas, canvas.root, 'P')
  const link = openElement(canvas, paragraph, 'Link')
  link.add(draw)
  // pdfkit writes a String object as text and a plain string as a name.
  const options = { structParent: link, Contents: Object(description) as string }
  for (const { left, top, width, height } of areas) canvas.pdf.link(left, top, width, height, address, options)
  // End the element before a new page begins, because pdfkit stores the page on which it ends.
  paragraph.end()
}

/** Longer than any address that browsers accept in practice, and short enough for a page. */
const MAX_ADDRESS_LENGTH = 2_000

/** An http or https address in its normal form (ASCII only); null for every other text. */
export const webAddress = (text: string): string | null => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ADDRESS_LENGTH ? url.href : null
}
