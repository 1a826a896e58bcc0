import { drawLogo } from '../canvas/brand-logo.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { BODY, INK, print, set, setAtMost, SHEET, SMALL, tag, type Paper, type Place, type Style } from '../canvas/canvas.ts'
import { printedDay } from '../print-format.ts'

const TITLE: Style = { weight: 'semibold', size: 26, colour: INK.text, leading: 32 }
const NAME: Style = { weight: 'semibold', size: 9, colour: INK.text, leading: 13 }
const LABEL: Style = { weight: 'semibold', size: 8, colour: INK.muted, leading: 12 }
const LOGO = { left: SHEET.left, top: 38, width: 210, height: 44 }
const TITLE_TOP = 34
const TITLE_PLACE: Place = { left: 276, width: SHEET.right - 276, align: 'right' }

/** More lines of one party than this end in "…": the head of an invoice stays on its first page. */
const LONGEST_BLOCK = 16

/** What stands at the head of a paper: whose it is, for whom, and what it is. */
export interface PaperHead extends Pick<InvoiceDocument, 'title' | 'seller' | 'customer' | 'brand'> {
  /** Under the title. */
  readonly number: string
  /** Over the customer; "Billed to" where it is missing. */
  readonly customerHeading?: string
}

/** The first page's head: logo, title and number, and below them the seller, the customer and the facts, side by side. */
export const drawHead = (paper: Paper, document: PaperHead, facts: readonly Fact[], colour: string): void => {
  drawLogo(paper, document.brand, LOGO, colour)
  const title = setAtMost(document.title, TITLE, TITLE_PLACE.width, 2)
  tag(paper, paper.root, 'H1', () => print(paper, title, TITLE, TITLE_PLACE, TITLE_TOP))
  const below = TITLE_TOP + title.length * TITLE.leading
  const number = setAtMost(document.number, BODY, TITLE_PLACE.width, 2)
  tag(paper, paper.root, 'P', () => print(paper, number, { ...BODY, colour: INK.muted }, TITLE_PLACE, below))

  paper.y = Math.max(LOGO.top + LOGO.height, below + number.length * BODY.leading) + 22
  const [first, second, third] = PLACES
  const bottoms = [
    drawParty(paper, 'From', sellerLines(document), first),
    drawParty(paper, document.customerHeading ?? 'Billed to', customerLines(document), second),
    drawFacts(paper, facts, third),
  ]
  paper.y = Math.max(...bottoms) + 18
}

const PLACES: readonly [Place, Place, Place] = [
  { left: SHEET.left, width: 158 },
  { left: SHEET.left + 176, width: 158 },
  { left: SHEET.left + 352, width: SHEET.right - SHEET.left - 352 },
]

const sellerLines = ({ seller }: PaperHead): readonly string[] =>
  [seller.name, ...seller.addressLines, seller.companyNumber, seller.email, seller.phone].filter((line) => line !== null)

const customerLines = ({ customer }: PaperHead): readonly string[] => [customer.name, ...customer.addressLines]

/** Gives the y below the block. */
const drawParty = (paper: Paper, heading: string, [name = '', ...rest]: readonly string[], place: Place): number => {
  const top = paper.y
  const nameLines = setAtMost(name, NAME, place.width, 4)
  const lines = setAtMost(rest.join('\n'), BODY, place.width, LONGEST_BLOCK)
  const nameTop = top + LABEL.leading + 3
  const restTop = nameTop + nameLines.length * NAME.leading
  tag(paper, paper.root, 'H2', () => print(paper, set(heading, LABEL, place.width), LABEL, place, top))
  tag(paper, paper.root, 'P', () => print(paper, nameLines, NAME, place, nameTop))
  tag(paper, paper.root, 'P', () => print(paper, lines, BODY, place, restTop))
  return restTop + lines.length * BODY.leading
}

/** A fact without a value is left out. */
export type Fact = readonly [label: string, value: string | null]

export const invoiceFacts = ({ number, issuedOn, dueOn, periodLabel, customer, language }: InvoiceDocument): readonly Fact[] => [
  ['Number', number],
  ['Issued', printedDay(issuedOn, language)],
  ['Due', printedDay(dueOn, language)],
  ['Period', periodLabel],
  ['Reference', customer.reference],
]

const FACT_LABEL = 56

/** Label and value stand on one line and are read as one paragraph. Gives the y below the last. */
const drawFacts = (paper: Paper, facts: readonly Fact[], { left, width }: Place): number => {
  let top = paper.y
  tag(paper, paper.root, 'H2', () => print(paper, ['Details'], LABEL, { left, width }, top))
  top += LABEL.leading + 3
  for (const [label, value] of facts) {
    if (value === null || value === '') continue
    const lines = setAtMost(value, BODY, width - FACT_LABEL, 4)
    const at = top
    tag(paper, paper.root, 'P', () => {
      print(paper, [`${label} `], { ...SMALL, leading: BODY.leading }, { left, width }, at)
      print(paper, lines, BODY, { left: left + FACT_LABEL, width: width - FACT_LABEL }, at)
    })
    top += lines.length * BODY.leading
  }
  return top
}
