import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test } from 'vitest'
import { expectCleanPages, wordsOnPage } from '../../../test/support/pdf-words.ts'
import type { InvoiceDocument } from '../invoice-document.ts'
import type { ReceiptDocument } from '../receipt-document.ts'
import { documentRenderer } from '../renderer.ts'
import type { InvoiceDetailDocument, StatementDocument } from '../report-document.ts'
import { wrapLines } from './canvas/text-lines.ts'
import { lineWidth } from './canvas/text-runs.ts'
import { sampleInvoice, sampleLine } from './invoice/sample-invoice.ts'

const renderer = documentRenderer()
afterAll(() => renderer.close())

const LONG_WORD = 'W'.repeat(144)

const party = { name: LONG_WORD, addressLines: [LONG_WORD, LONG_WORD] }
const shared = {
  title: LONG_WORD,
  number: LONG_WORD,
  seller: { ...party, registrationNumber: LONG_WORD, email: LONG_WORD, phone: LONG_WORD },
  customer: { ...party, reference: LONG_WORD },
  brand: { name: LONG_WORD, colour: '#0f8f86', logo: null },
}
const line = sampleLine({ service: LONG_WORD, description: LONG_WORD, serviceItem: LONG_WORD, unit: LONG_WORD })

const invoice: InvoiceDocument = sampleInvoice({
  ...shared,
  status: 'overdue',
  periodLabel: LONG_WORD,
  lines: [line, line],
  taxes: [{ name: LONG_WORD, ratePercent: '15', base: '189.00', amount: '28.35' }],
  adjustments: {
    net: { name: LONG_WORD, amount: '1.00' },
    tax: { name: LONG_WORD, amount: '1.00' },
    due: { name: LONG_WORD, amount: '-1.00' },
  },
  paymentUrl: `https://portal.example/pay/${LONG_WORD}`,
  terms: LONG_WORD,
})

const creditNote: InvoiceDocument = {
  ...invoice,
  status: 'credit-note',
  dueOn: null,
  corrects: LONG_WORD,
  credit: '1.00',
  paymentUrl: null,
}

const { currency, currencySymbol, language } = invoice

const receipt: ReceiptDocument = {
  ...shared,
  kind: 'receipt',
  currency,
  currencySymbol,
  language,
  paidOn: '2026-12-03',
  method: LONG_WORD,
  reference: LONG_WORD,
  providerReference: LONG_WORD,
  invoiceLabel: LONG_WORD,
  lines: [{ description: LONG_WORD, issuedOn: '2026-12-01', amount: '217.35' }],
  fee: { name: LONG_WORD, amount: '28.84' },
  total: '246.19',
  refunded: '100.00',
  netPaid: '146.19',
}

const account = {
  currency,
  currencySymbol,
  opening: '12.50',
  invoices: [{ number: LONG_WORD, issuedOn: '2026-11-01', dueOn: '2026-11-30', status: 'Open', amount: '1234.56', due: '1234.56' }],
  invoicedTotal: '1234.56',
  periodDue: '1234.56',
  due: '1247.06',
  credit: '5.00',
}

const statement: StatementDocument = {
  ...shared,
  kind: 'statement',
  language,
  from: '2026-11-01',
  to: '2026-11-30',
  createdOn: '2026-11-30',
  invoiceLabel: LONG_WORD,
  invoiceLabelPlural: LONG_WORD,
  accounts: [account, { ...account, currency: 'EUR' }],
}

const usageRow = { service: LONG_WORD, serviceItem: LONG_WORD, recordType: LONG_WORD, records: '12', units: '1024.5', price: '1.2345' }

const invoiceDetail: InvoiceDetailDocument = {
  kind: 'invoice-detail',
  invoice,
  usage: { from: '2026-11-01', to: '2026-11-30', rows: [usageRow, usageRow], omittedRows: 3, records: '24', price: '2.4690' },
}

test.each([
  ['an invoice', () => renderer.invoice(invoice)],
  ['a credit note', () => renderer.invoice(creditNote)],
  ['a receipt', () => renderer.receipt(receipt)],
  ['a statement', () => renderer.report(statement)],
  ['an invoice with its usage', () => renderer.report(invoiceDetail)],
])('[EASE-11] one long word in each text of others leaves neither the pages of %s nor its column', async (_, render) => {
  const pdf = await getDocument({ data: (await render()).slice(), verbosity: 0 }).promise
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent().then(wordsOnPage)),
  )
  expectCleanPages(pages)
  expect(pages.flat().filter(({ text }) => /W{4}/.test(text)).length).toBeGreaterThan(10)
})

test.each(['W', 'AV', 'Tt', 'Привет', 'Ώ', 'שלום', 'مرحبا', '=>'])(
  '[EASE-11] a word of "%s" alone fills no line further than its width',
  (part) => {
    const word = part.repeat(144)
    for (const width of [60, 158, 499.28]) {
      const lines = wrapLines(word, 'regular', 9, width)
      expect(lines.filter((line) => lineWidth(line, 'regular', 9) > width + 0.01)).toEqual([])
      expect(lines.length).toBeGreaterThan(2)
    }
  },
)
