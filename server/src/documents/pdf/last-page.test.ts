import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test } from 'vitest'
import { documentRenderer } from '../renderer.ts'
import { sampleInvoice, sampleLine } from './invoice/sample-invoice.ts'

const renderer = documentRenderer()
afterAll(() => renderer.close())

const { currency, currencySymbol, seller, customer, brand, language } = sampleInvoice()
const shared = { currencySymbol, seller, customer, brand, language }
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

const receipt = (lines: number, hasMore: boolean) =>
  renderer.receipt({
    ...shared,
    kind: 'receipt',
    title: 'Receipt',
    number: 'R-1',
    paidOn: '2026-12-03',
    method: 'Visa •••• 4242',
    reference: '8E1F-0C52',
    providerReference: null,
    invoiceLabel: 'Invoice',
    lines: numbers(lines).map((line) => ({ description: `Row ${line}.`, issuedOn: null, amount: '1.00' })),
    fee: hasMore ? { name: 'Credit Card Fee', amount: '1.00' } : null,
    total: '5.00',
    refunded: hasMore ? '2.00' : null,
    netPaid: '3.00',
    currency,
  })

const statement = (lines: number, hasMore: boolean) => {
  const account = (invoices: number) => ({
    currency,
    currencySymbol,
    opening: '0.00',
    invoices: numbers(invoices).map((line) => ({
      number: `Row ${line}.`,
      issuedOn: '2026-12-01',
      dueOn: null,
      status: 'Open',
      amount: '1.00',
      due: '1.00',
    })),
    invoicedTotal: '5.00',
    periodDue: '5.00',
    due: '5.00',
    credit: hasMore ? '2.00' : null,
  })
  return renderer.report({
    ...shared,
    kind: 'statement',
    title: 'Account Statement',
    from: '2026-12-01',
    to: '2026-12-31',
    createdOn: '2026-12-31',
    invoiceLabel: 'Invoice',
    invoiceLabelPlural: 'Invoices',
    accounts: hasMore ? [account(3), account(lines)] : [account(lines)],
  })
}

const invoiceDetail = (lines: number, hasMore: boolean) =>
  renderer.report({
    kind: 'invoice-detail',
    invoice: sampleInvoice({ lines: [sampleLine()], terms: null, paymentUrl: null }),
    usage: {
      from: '2026-12-01',
      to: '2026-12-31',
      rows: numbers(lines).map((line) => ({
        service: 'Voice',
        serviceItem: `Row ${line}.`,
        recordType: 'Call',
        records: '1',
        units: '1',
        price: '1.00',
      })),
      omittedRows: hasMore ? 7 : 0,
      records: '5',
      price: '5.00',
    },
  })

const invoice = (lines: number, hasMore: boolean) =>
  renderer.invoice(
    sampleInvoice({
      lines: numbers(lines).map((line) => sampleLine({ description: `Row ${line}.` })),
      taxes: numbers(hasMore ? 16 : 9).map((tax) => ({ name: `Tax ${tax}`, ratePercent: null, base: null, amount: '1.00' })),
      terms: null,
      paymentUrl: null,
    }),
  )

const pageTexts = async (bytes: Uint8Array): Promise<string[]> => {
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const pages = await Promise.all(numbers(pdf.numPages).map(async (page) => (await pdf.getPage(page)).getTextContent()))
  return pages.map(({ items }) => items.map((item) => ('str' in item ? item.str : '')).join(' '))
}

const MIN_ROWS = 2
const MAX_ROWS = 25

test.each([
  ['[PAY-01] a receipt', false, receipt, ['Total paid']],
  ['[PAY-01] a receipt with a fee and a refund', true, receipt, ['Credit Card Fee', 'Net amount paid']],
  ['[RPT-04] an account statement', false, statement, ['Due from earlier', 'Amounts due and statuses']],
  ['[RPT-04] an account statement of two accounts with credit', true, statement, ['Due from earlier', 'Amounts due and statuses']],
  ['[RPT-04] an invoice detail', false, invoiceDetail, ['All usage']],
  ['[RPT-04] an invoice detail that leaves out lines', true, invoiceDetail, ['All usage', 'more lines']],
  ['[INV-05] an invoice with as many taxes as are kept together', false, invoice, ['Subtotal', 'Amount due (USD)']],
  ['[INV-05] an invoice with more taxes than are kept together', true, invoice, ['Subtotal']],
] as const)('%s has its totals on the page of its last row, however full its first page is', async (_, hasMore, render, totals) => {
  /** Finds the page of the last row, and expects the totals there. */
  const pageOfRow = async (rows: number): Promise<number> => {
    const pages = await pageTexts(await render(rows, hasMore))
    const pageOf = (text: string): number => pages.findLastIndex((page) => page.includes(text)) + 1
    const page = pageOf(`Row ${rows}.`)
    expect([rows, ...totals.map(pageOf)]).toEqual([rows, ...totals.map(() => page)])
    return page
  }
  let [fits, tooMany] = [MIN_ROWS, MAX_ROWS]
  expect([await pageOfRow(fits), await pageOfRow(tooMany)]).toEqual([1, 2])
  while (tooMany - fits > 1) {
    const rows = Math.floor((fits + tooMany) / 2)
    if ((await pageOfRow(rows)) === 1) fits = rows
    else tooMany = rows
  }
})
