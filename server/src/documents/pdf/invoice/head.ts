import { drawLogo } from '../canvas/brand-logo.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import {
  BODY,
  COLOURS,
  drawText,
  wrapText,
  wrapTextToLines,
  PAGE,
  SMALL,
  addElement,
  type Canvas,
  type TextBox,
  type Style,
} from '../canvas/canvas.ts'
import { formatDay } from '../print-format.ts'

const TITLE: Style = { weight: 'semibold', size: 26, colour: COLOURS.text, leading: 32 }
const NAME: Style = { weight: 'semibold', size: 9, colour: COLOURS.text, leading: 13 }
const LABEL: Style = { weight: 'semibold', size: 8, colour: COLOURS.muted, leading: 12 }
const LOGO = { left: PAGE.left, top: 38, width: 210, height: 44 }
const TITLE_TOP = 34
const TITLE_BOX: TextBox = { left: 276, width: PAGE.right - 276, align: 'right' }

/** A party with more lines than this is cut with "…", so that the head stays on the first page. */
const MAX_PARTY_LINES = 16

/** The head of a document: seller, customer and title. */
export interface DocumentHead extends Pick<InvoiceDocument, 'title' | 'seller' | 'customer' | 'brand'> {
  /** Printed below the title. */
  readonly number: string
  /** Heading above the customer; "Billed to" by default. */
  readonly customerHeading?: string
}

/** Draws the head of the first page: logo, title and number, and below them seller, customer and facts side by side. */
export const drawHead = (canvas: Canvas, document: DocumentHead, facts: readonly Fact[], colour: string): void => {
  drawLogo(canvas, document.brand, LOGO, colour)
  const title = wrapTextToLines(document.title, TITLE, TITLE_BOX.width, 2)
  addElement(canvas, canvas.root, 'H1', () => drawText(canvas, title, TITLE, TITLE_BOX, TITLE_TOP))
  const below = TITLE_TOP + title.length * TITLE.leading
  const number = wrapTextToLines(document.number, BODY, TITLE_BOX.width, 2)
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, number, { ...BODY, colour: COLOURS.muted }, TITLE_BOX, below))

  canvas.y = Math.max(LOGO.top + LOGO.height, below + number.length * BODY.leading) + 22
  const [first, second, third] = COLUMN_BOXES
  const columnBottoms = [
    drawParty(canvas, 'From', sellerLines(document), first),
    drawParty(canvas, document.customerHeading ?? 'Billed to', customerLines(document), second),
    drawFacts(canvas, facts, third),
  ]
  canvas.y = Math.max(...columnBottoms) + 18
}

const COLUMN_BOXES: readonly [TextBox, TextBox, TextBox] = [
  { left: PAGE.left, width: 158 },
  { left: PAGE.left + 176, width: 158 },
  { left: PAGE.left + 352, width: PAGE.right - PAGE.left - 352 },
]

const sellerLines = ({ seller }: DocumentHead): readonly string[] =>
  [seller.name, ...seller.addressLines, seller.registrationNumber, seller.email, seller.phone].filter((line) => line !== null)

const customerLines = ({ customer }: DocumentHead): readonly string[] => [customer.name, ...customer.addressLines]

/** Draws a heading, a name and an address. Returns the y below the block; the canvas's position stays. */
const drawParty = (canvas: Canvas, heading: string, [name = '', ...rest]: readonly string[], box: TextBox): number => {
  const top = canvas.y
  const nameLines = wrapTextToLines(name, NAME, box.width, 4)
  const lines = wrapTextToLines(rest.join('\n'), BODY, box.width, MAX_PARTY_LINES)
  const nameTop = top + LABEL.leading + 3
  const restTop = nameTop + nameLines.length * NAME.leading
  addElement(canvas, canvas.root, 'H2', () => drawText(canvas, wrapText(heading, LABEL, box.width), LABEL, box, top))
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, nameLines, NAME, box, nameTop))
  addElement(canvas, canvas.root, 'P', () => drawText(canvas, lines, BODY, box, restTop))
  return restTop + lines.length * BODY.leading
}

/** A label with its value; a fact without a value is not printed. */
export type Fact = readonly [label: string, value: string | null]

/** The facts in the head of an invoice; one whose value is null is not printed. */
export const invoiceFacts = ({ number, corrects, issuedOn, dueOn, periodLabel, customer, language }: InvoiceDocument): readonly Fact[] => [
  ['Number', number],
  ['Corrects', corrects],
  ['Issued', formatDay(issuedOn, language)],
  ['Due', dueOn === null ? null : formatDay(dueOn, language)],
  ['Period', periodLabel],
  ['Reference', customer.reference],
]

const FACT_LABEL = 56

/** Draws labels with their values, each tagged as one paragraph. Returns the y below the last; the canvas's position stays. */
const drawFacts = (canvas: Canvas, facts: readonly Fact[], { left, width }: TextBox): number => {
  let top = canvas.y
  addElement(canvas, canvas.root, 'H2', () => drawText(canvas, ['Details'], LABEL, { left, width }, top))
  top += LABEL.leading + 3
  for (const [label, value] of facts) {
    if (value === null || value === '') continue
    const lines = wrapTextToLines(value, BODY, width - FACT_LABEL, 4)
    const at = top
    addElement(canvas, canvas.root, 'P', () => {
      drawText(canvas, [`${label} `], { ...SMALL, leading: BODY.leading }, { left, width }, at)
      drawText(canvas, lines, BODY, { left: left + FACT_LABEL, width: width - FACT_LABEL }, at)
    })
    top += lines.length * BODY.leading
  }
  return top
}
