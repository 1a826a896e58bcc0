import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test, vi } from 'vitest'
import type { ReceiptDocument } from '../receipt-document.ts'
import { documentRenderer } from '../renderer.ts'
import { sampleInvoice } from './invoice/sample-invoice.ts'

vi.setConfig({ testTimeout: 60_000 })

const renderer = documentRenderer()
const folder = mkdtempSync(join(tmpdir(), 'receipt-'))
afterAll(async () => {
  await renderer.close()
  rmSync(folder, { recursive: true })
})

const { currency, currencySymbol, seller, customer, brand, language } = sampleInvoice()

/** A realistic receipt for two invoices. */
const sampleReceipt = (over: Partial<ReceiptDocument> = {}): ReceiptDocument => ({
  kind: 'receipt',
  title: 'Receipt',
  number: 'R-20261203-8E1F0C52',
  paidOn: '2026-12-03',
  method: 'Visa •••• 4242',
  reference: '8E1F-0C52',
  providerReference: 'pi_3QWx9c2eZvKYlo2C1f8Hn5Tg',
  invoiceLabel: 'Invoice',
  lines: [
    { description: 'INV-2026-00417', issuedOn: '2026-12-01', amount: '217.35' },
    { description: 'INV-2026-00398', issuedOn: '2026-11-01', amount: '1204.50' },
    { description: 'Late fee October', issuedOn: null, amount: '5.00' },
  ],
  fee: { name: 'Credit Card Fee', amount: '28.84' },
  total: '1455.69',
  refunded: null,
  netPaid: '1455.69',
  currency,
  currencySymbol,
  seller,
  customer,
  brand,
  language,
  ...over,
})

const many = (): ReceiptDocument =>
  sampleReceipt({
    lines: Array.from({ length: 1_000 }, (_, at) => ({ description: `INV-${at + 1}`, issuedOn: '2026-12-01', amount: '1.00' })),
  })

const hostile = (): ReceiptDocument =>
  sampleReceipt({
    number: 'R\u0000\u202eB<&>"\ud800',
    method: 'עברית '.repeat(40),
    providerReference: 'pi_'.repeat(200),
    invoiceLabel: 'Rechnungsnummernbezeichnung'.repeat(6),
    lines: [{ description: 'x'.repeat(900), issuedOn: 'no day', amount: `-${'9'.repeat(60)}.00` }],
    fee: { name: 'F'.repeat(300), amount: 'much' },
    refunded: '9'.repeat(40),
    netPaid: '0.00',
    customer: { name: 'N'.repeat(300), addressLines: Array.from({ length: 60 }, (_, line) => `line ${line}`), reference: 'r'.repeat(200) },
    language: 'no language',
  })

const read = async (document: ReceiptDocument) => {
  const bytes = await renderer.receipt(document)
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, at) => pdf.getPage(at + 1)))
  const contents = await Promise.all(pages.map((page) => page.getTextContent()))
  const items = contents.flatMap((content) => content.items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : [])))
  return { bytes, pdf, pages, items, text: items.map(({ str }) => str).join(' ') }
}

test('[PAY-01] a receipt is one page that says who paid how much to whom, when, with what, and for which invoices', async () => {
  const { pdf, text } = await read(sampleReceipt())
  expect(pdf.numPages).toBe(1)
  for (const said of ['Receipt', 'R-20261203-8E1F0C52', 'Northwind Telecom Ltd', 'Paid by', '220 Cathedral Square', '3 December 2026'])
    expect(text).toContain(said)
  for (const said of ['Amount paid (USD)', '$1,455.69', 'Visa •••• 4242', 'INV-2026-00417', '$217.35', 'Late fee October', '$28.84'])
    expect(text).toContain(said)
  expect(text).toContain('Payment reference 8E1F-0C52 Transaction pi_3QWx9c2eZvKYlo2C1f8Hn5Tg Paid Payment details')
  expect(text).not.toContain('efund')
})

test.each([
  ['100.00', '1355.69', 'Partly refunded'],
  ['1455.69', '0.00', 'Refunded'],
])('[PAY-01] a receipt says that %s was refunded', async (refunded, netPaid, stamp) => {
  const { text } = await read(sampleReceipt({ refunded, netPaid }))
  for (const said of [stamp, 'Refunded', 'Net amount paid']) expect(text).toContain(said)
})

test('[PAY-01] readers that speak find headings, the logo with its name, and what was paid as a table', async () => {
  const { pages, pdf } = await read(sampleReceipt())
  const tree = JSON.stringify(await pages[0]?.getStructTree())
  const roles = [...tree.matchAll(/"role":"(\w+)"/g)].map(([, role]) => role)
  expect(roles.slice(0, 4)).toEqual(['Document', 'Figure', 'H1', 'P'])
  expect(roles.join(' ')).toContain('Table THead TR TH TH TH TBody TR TH TD TD')
  const { info } = await pdf.getMetadata()
  expect(info).toMatchObject({ Title: 'Receipt R-20261203-8E1F0C52', Language: 'en', CreationDate: 'D:20261203000000Z' })
})

test('[PAY-01] the same payment gives the same bytes', async () => {
  const [one, other] = await Promise.all([renderer.receipt(sampleReceipt()), renderer.receipt(sampleReceipt())])
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
})

test.each([
  ['a thousand invoices', many],
  ['hostile text', hostile],
])('[PAY-01] nothing of a receipt of %s is cut off at the sides of its pages', async (_, document) => {
  const { items } = await read(document())
  const outside = items.filter(({ transform, width }) => Number(transform[4]) < 47 || Number(transform[4]) + width > 548)
  expect(outside.map(({ str, transform, width }) => [str, transform[4], width])).toEqual([])
})

test('[PAY-01] each of a thousand invoices is on the receipt once', async () => {
  const { text } = await read(many())
  expect(text.match(/INV-\d+/g)).toHaveLength(1_000)
})

const tool = (name: string) => ({
  missing: spawnSync(name, ['--version']).error !== undefined && spawnSync(name, ['-v']).error !== undefined,
  says: (...args: string[]) => execFileSync(name, args, { encoding: 'utf8' }),
})

const saveToFile = async (document: ReceiptDocument): Promise<string> => {
  const file = join(folder, `${crypto.randomUUID()}.pdf`)
  writeFileSync(file, await renderer.receipt(document))
  return file
}

const qpdf = tool('qpdf')
test.skipIf(qpdf.missing).each([
  ['two invoices', sampleReceipt],
  ['a thousand invoices', many],
  ['hostile text', hostile],
])('[PAY-01] qpdf finds no fault in a receipt of %s', async (_, document) => {
  expect(qpdf.says('--check', await saveToFile(document()))).toContain('No syntax or stream encoding errors')
})

const pdfinfo = tool('pdfinfo')
test.skipIf(pdfinfo.missing)('[PAY-01] pdfinfo finds a tagged file whose cells name their columns and rows', async () => {
  const file = await saveToFile(sampleReceipt())
  expect(pdfinfo.says(file)).toMatch(/Tagged: +yes/)
  const tree = pdfinfo.says('-struct', file)
  expect(tree.match(/\/Scope \/Column/g)).toHaveLength(3)
  expect(tree).toMatch(/\/Scope \/Row/)
})

const pdftotext = tool('pdftotext')
test.skipIf(pdftotext.missing)('[PAY-01] pdftotext reads an invoice that was paid as one line', async () => {
  expect(pdftotext.says('-layout', await saveToFile(sampleReceipt()), '-')).toMatch(/INV-2026-00417 +1 December 2026 +\$217\.35/)
})
