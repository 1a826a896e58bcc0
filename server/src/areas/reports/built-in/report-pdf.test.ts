import { execFileSync, spawnSync } from 'node:child_process'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportJob } from '../../../jobs/report-job.ts'
import { clientFor, signInAs } from '../../../../test/support/http-client.ts'
import { runDueJobs } from '../../../../test/support/jobs.ts'
import { type TestContext, testContext } from '../../../../test/support/test-app.ts'
import { insertRow, addCustomer, addInvoice, addPerson } from '../../../../test/support/people.ts'
import { addUsage } from '../../../../test/support/usage.ts'

let context: TestContext
let seeded: Awaited<ReturnType<typeof addUsage>>
let app: Awaited<ReturnType<TestContext['app']>>

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
  seeded = await addUsage(context, 2_000)
})
afterAll(() => context.close())

const INVOICE_DETAIL = 4
const STATEMENT = 5

/** Requests a PDF report and generates it as a worker does. */
const generatePdf = async (customerId: number, id: number, parameters: Record<string, string>) => {
  const call = clientFor(app, await signInAs(app, await addPerson(context, seeded.resellerId, seeded.brandId, [customerId])), customerId)
  const parameterList = Object.entries(parameters).map(([name, value]) => ({ name, value }))
  const response = await call.post('/v1/ec/reports', { id, parameters: parameterList })
  expect(response.statusCode, response.body).toBe(200)
  await runDueJobs(context, reportJob(context))
  const { path } = (await call.get(`/v1/ec/reports/status/${response.json().reportId}`)).json<{ path: string }>()
  const file = await call.get(`/v1/ec/reports/blob/${path}`)
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf'])
  return { bytes: file.rawPayload, name: String(file.headers['content-disposition']), words: await wordsOf(file.rawPayload) }
}

/** An independent PDF tool, when it is installed. */
const tool = (name: string) => ({
  isMissing: spawnSync(name, ['-v']).error !== undefined,
  run: (input: Buffer, ...options: string[]) => execFileSync(name, [...options, '-'], { input, encoding: 'utf8' }),
})
const POPPLER = tool('pdfinfo')

/** Narrow and no-break spaces. */
const SPACES = /[\u{a0}\u{2009}\u{202f}]/gu

const wordsOf = async (bytes: Buffer): Promise<string> => {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent()))
  return pages
    .flatMap(({ items }) => items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str.trim()] : [])))
    .join(' | ')
}

const addCustomerInvoice = (customerId: number, row: Parameters<typeof addInvoice>[3]) =>
  addInvoice(context, seeded.resellerId, customerId, row)

test('[RPT-04] Invoice Detail is the invoice with its lines, and the usage of its period and agreement, summed exactly', async () => {
  const { customerId, resellerId } = seeded
  const [agreement_id] = seeded.agreements
  const own = { customer_id: customerId }
  const period_id = await insertRow(context, resellerId, 'billing_period', { ...own, starts_on: '2026-10-01', ends_on: '2026-10-31' })
  const invoice_id = await addCustomerInvoice(customerId, { number: 'INV 7/2026', period_id, agreement_id: agreement_id ?? null })
  await insertRow(context, resellerId, 'invoice_line', {
    ...own,
    invoice_id,
    line_no: 1,
    service_name: '4G Data',
    description: 'Fleet plan',
    amount_minor: 10_000,
  })
  const { words, name } = await generatePdf(customerId, INVOICE_DETAIL, { InvoiceId: String(invoice_id) })
  expect(name).toContain('filename="Invoice_Detail_INV_7_2026.pdf"')
  const billedRecords = seeded.records.filter(({ at, agreement }) => at.startsWith('2026-10') && agreement === agreement_id)
  const price = billedRecords.reduce((sum, { shown }) => sum + Math.round(Number(shown.price) * 10_000), 0)
  const printedPrice = `$${(price / 10_000).toFixed(4).replace(/\B(?=(\d{3})+\.)/g, ',')}`
  for (const text of [
    'Invoice Detail',
    'INV 7/2026',
    'Fleet plan',
    'Usage 1 – 31 Oct 2026',
    '4G Data national',
    `All usage | ${billedRecords.length} | ${printedPrice}`,
  ])
    expect(words.replace(SPACES, ' ')).toContain(text)
})

test('[RPT-04] Invoice Detail of an invoice without a period has no usage', async () => {
  const customerId = await addCustomer(context, seeded.resellerId, seeded.brandId)
  const id = await addCustomerInvoice(customerId, { number: 'PLAIN' })
  expect((await generatePdf(customerId, INVOICE_DETAIL, { InvoiceId: String(id) })).words).not.toContain('Usage')
})

const november = { StartDate: '11.01.2026 00:00:00', EndDate: '11.30.2026 23:59:59' }

test('[RPT-04] Account Statement: what was due before, what was billed in the days, and what is due of both', async () => {
  const customerId = await addCustomer(context, seeded.resellerId, seeded.brandId, { label: 'Harbour Ltd' })
  await addCustomerInvoice(customerId, { number: 'OLD-OPEN', issued_on: '2026-09-01', due_on: '2026-09-30', amount_due_minor: 1_250 })
  await addCustomerInvoice(customerId, { number: 'OLD-PAID', issued_on: '2026-09-02', status: 11 })
  await addCustomerInvoice(customerId, { number: 'NOV-1', issued_on: '2026-11-01', amount_minor: 123_456, amount_due_minor: 123_456 })
  await addCustomerInvoice(customerId, {
    number: 'NOV-PAID',
    issued_on: '2026-11-30',
    status: 11,
    amount_minor: 5_000,
  })
  await addCustomerInvoice(customerId, { number: 'DECEMBER', issued_on: '2026-12-01' })
  const { words, bytes } = await generatePdf(customerId, STATEMENT, november)
  expect(words).toContain('NOV-1 | 1 Nov 2026 | 30 Nov 2026 | Open | $1,234.56 | $1,234.56')
  expect(words).toContain('NOV-PAID | 30 Nov 2026 | 30 Nov 2026 | Paid | $50.00 | $0.00')
  expect(words).toContain('Total | $1,284.56 | $1,234.56')
  expect(words).toContain('Due from earlier invoices | $12.50 | Due from these invoices | $1,234.56 | Amount due (AUD) | $1,247.06')
  expect(words).toContain('Harbour Ltd')
  for (const absent of ['OLD-OPEN', 'OLD-PAID', 'DECEMBER']) expect(words).not.toContain(absent)

  if (POPPLER.isMissing) return
  expect(POPPLER.run(bytes)).toMatch(/Tagged: +yes/)
  const structure = POPPLER.run(bytes, '-struct')
  expect(structure.match(/\/Scope \/Column/g)).toHaveLength(6)
  expect(structure).toMatch(/H1[\s\S]*Table[\s\S]*TH/)
})

test('[RPT-04] a statement in two currencies has separate sums', async () => {
  const customerId = await addCustomer(context, seeded.resellerId, seeded.brandId)
  await addCustomerInvoice(customerId, { number: 'A-1' })
  await addCustomerInvoice(customerId, { number: 'E-1', currency: 'EUR', amount_minor: 700, amount_due_minor: 700 })
  const { words } = await generatePdf(customerId, STATEMENT, november)
  expect(words).toContain('Amount due (AUD) | $110.00')
  expect(words.replace(SPACES, ' ')).toContain('Amount due (EUR) | EUR 7.00')
})
