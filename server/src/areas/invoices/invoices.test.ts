import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Invoice } from '@counterfoil/contract/invoices'
import type { FastifyInstance } from 'fastify'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { clientFor, signInAs, problemBody } from '../../../test/support/http-client.ts'
import { payToken } from '../../payments/pay-token.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import {
  insertRow,
  addCustomer,
  addTenant,
  addInvoice,
  addPerson,
  changeReseller,
  queryAsAdministrator,
} from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let customerId: number
let get: (path: string) => ReturnType<ReturnType<typeof clientFor>['get']>

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
  tenant = await addTenant(context, { reseller: { payments_enabled: true } })
})
beforeEach(() => startWithNewCustomer())
afterAll(() => context.close())

/** Continues with a new customer that has no invoices. */
const startWithNewCustomer = async (currency = 'AUD', currency_symbol = '$'): Promise<void> => {
  const { resellerId, brandId } = tenant
  customerId = await addCustomer(context, resellerId, brandId, { currency, currency_symbol })
  const session = await signInAs(app, await addPerson(context, resellerId, brandId, [customerId]))
  get = (path) => clientFor(app, session, customerId).get(path)
}

const addOwnInvoice = (row: Parameters<typeof addInvoice>[3]): Promise<number> => addInvoice(context, tenant.resellerId, customerId, row)
const list = async (): Promise<Invoice[]> => (await get('/v1/ec/invoices')).json<Invoice[]>()

test('[INV-01] a customer without invoices has an empty list', async () => {
  expect(await list()).toEqual([])
})

test('[INV-01] an invoice carries every field of the specification', async () => {
  const own = { customer_id: customerId }
  const period_id = await insertRow(context, tenant.resellerId, 'billing_period', {
    ...own,
    starts_on: '2026-10-01',
    ends_on: '2026-10-31',
  })
  const id = await addOwnInvoice({ number: 'A-1', period_id })
  expect(await list()).toEqual([
    {
      id,
      number: 'A-1',
      amount: 110,
      amountDue: 110,
      dateInvoice: '2026-11-01',
      dateDue: '2026-11-30',
      dateGenerated: '2026-11-01T03:04:05.000Z',
      paid: false,
      canPay: true,
      payToken: payToken(context.keys, customerId, id),
      selected: false,
      fee: 0,
      invoiceStatus: 1,
      isCredited: false,
      periodLabel: 'October 2026',
      periodStart: '2026-10-01',
      periodEnd: '2026-10-31',
      currency: 'AUD',
      currencySymbol: '$',
    },
  ])
})

test('[INV-01] a period that is no calendar month reads by its first and last day', async () => {
  const own = { customer_id: customerId }
  const period_id = await insertRow(context, tenant.resellerId, 'billing_period', {
    ...own,
    starts_on: '2026-10-15',
    ends_on: '2026-11-14',
  })
  await addOwnInvoice({ period_id })
  expect((await list()).map(({ periodLabel }) => periodLabel)).toEqual(['2026-10-15 – 2026-11-14'])
})

test('[INV-01] invoices come newest first; of one day, the last made first', async () => {
  const first = await addOwnInvoice({ issued_on: '2026-11-01' })
  const old = await addOwnInvoice({ issued_on: '2025-11-01' })
  const second = await addOwnInvoice({ issued_on: '2026-11-01' })
  expect((await list()).map(({ id }) => id)).toEqual([second, first, old])
})

test.each([
  ['open before its due day', { due_on: '2026-11-21' }, { invoiceStatus: 1, canPay: true, paid: false }],
  ['open on its due day', { due_on: '2026-11-20' }, { invoiceStatus: 1, canPay: true, paid: false }],
  ['overdue the day after', { due_on: '2026-11-19' }, { invoiceStatus: 5, canPay: true, paid: false }],
  ['partly paid and overdue', { due_on: '2026-11-19', amount_due_minor: 1 }, { invoiceStatus: 5, canPay: true, amountDue: 0.01 }],
  ['in collection', { status: 7, due_on: '2026-11-01' }, { invoiceStatus: 7, canPay: false, paid: false }],
  ['credited', { status: 9, due_on: '2026-11-01' }, { invoiceStatus: 9, canPay: false, isCredited: true, paid: false }],
  ['paid', { status: 11, amount_due_minor: 0 }, { invoiceStatus: 11, canPay: false, paid: true, isCredited: false }],
  ['of nothing at all', { status: 11, amount_minor: 0 }, { amount: 0, amountDue: 0, canPay: false, paid: true }],
  ['a credit note', { status: 9, amount_minor: -500 }, { amount: -5, amountDue: -5, canPay: false, isCredited: true }],
  ['a credit note that is used up', { status: 9, amount_minor: -500, amount_due_minor: 0 }, { amount: -5, amountDue: 0, isCredited: true }],
])('[INV-01] an invoice that is %s says so', async (_, row, said) => {
  await addOwnInvoice(row)
  expect(await list()).toEqual([expect.objectContaining(said)])
})

test('[INV-01] [DASH-03] an invoice that can be paid says the fee of paying it by card, in its currency', async () => {
  await startWithNewCustomer('AUD', 'A$')
  await queryAsAdministrator(
    context,
    `insert into payment_fee_rule (reseller_id, line, currency, percent, fixed_minor)
     values ($1, 'CREDIT_CARD_FEE', 'AUD', 1.5, 30), ($1, 'DIRECT_DEBIT_FEE', 'AUD', 0, 100)`,
    [tenant.resellerId],
  )
  await changeReseller(context, tenant.resellerId, { payment_type: 1 })
  await addOwnInvoice({ issued_on: '2026-11-02' })
  await addOwnInvoice({ status: 11, amount_due_minor: 0 })
  expect((await list()).map(({ fee }) => fee)).toEqual([1.95, 0])
  await changeReseller(context, tenant.resellerId, { payment_type: 0 })
  expect((await list()).map(({ fee }) => fee)).toEqual([0, 0])
})

test('[INV-04] without payments nothing can be paid and no pay token is returned', async () => {
  await addOwnInvoice({})
  await changeReseller(context, tenant.resellerId, { payments_enabled: false })
  expect(await list()).toEqual([expect.objectContaining({ canPay: false, payToken: null, paid: false })])
  await changeReseller(context, tenant.resellerId, { payments_enabled: true })
  expect(await list()).toEqual([expect.objectContaining({ canPay: true, payToken: expect.any(String) })])
})

test.each([
  ['JPY', '¥', 110_000, 110_000],
  ['KWD', 'KD', 1_234_567, 1_234.567],
  ['EUR', '€', 1_005, 10.05],
  ['USD', '$', 999_999_999_999_999, 9_999_999_999_999.99],
])("[INV-01] amounts in %s carry that currency's digits", async (currency, symbol, minor, amount) => {
  await startWithNewCustomer(currency, symbol)
  await addOwnInvoice({ currency, amount_minor: minor, amount_due_minor: minor })
  expect(await list()).toEqual([expect.objectContaining({ amount, amountDue: amount, currencySymbol: symbol })])
})

test('[INV-01][EASE-01] an invoice in another currency than the customer’s has that currency’s code, so that no sum takes it for the same', async () => {
  await addOwnInvoice({ currency: 'USD' })
  await addOwnInvoice({ issued_on: '2026-10-01' })
  expect((await list()).map(({ currencySymbol }) => currencySymbol)).toEqual(['USD', '$'])
})

test('[INV-01] the file of the billing engine is returned unchanged, under a name that every system accepts', async () => {
  const invoice_id = await addOwnInvoice({ number: 'Rechnung 2026/11 "ä".exe' })
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 13, 10, 128])])
  await insertRow(context, tenant.resellerId, 'invoice_file', { customer_id: customerId, invoice_id, bytes })
  const answer = await get(`/v1/ec/invoices/${invoice_id}`)
  expect(answer.rawPayload).toEqual(bytes)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Rechnung 2026_11 ___.exe.pdf"; filename*=UTF-8''Rechnung%202026_11%20_%C3%A4_.exe.pdf`,
    'cache-control': 'no-store',
  })
})

test('[INV-05] an invoice without a file of its own is drawn from its lines', async () => {
  const invoice_id = await addOwnInvoice({ number: 'D-1' })
  const own = { customer_id: customerId, invoice_id }
  const line = { line_no: 1, service_name: 'Mobile', description: 'Plan', service_item: null, from_on: null, to_on: null }
  await insertRow(context, tenant.resellerId, 'invoice_line', {
    ...own,
    ...line,
    quantity: '1',
    unit: null,
    unit_price: '100',
    amount_minor: 10_000,
  })
  await insertRow(context, tenant.resellerId, 'invoice_tax', {
    ...own,
    tax_no: 1,
    name: 'GST',
    rate_percent: '10.00',
    base_minor: 10_000,
    amount_minor: 1_000,
  })
  const answer = await get(`/v1/ec/invoices/${invoice_id}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(answer.rawPayload.subarray(-7).toString()).toContain('%%EOF')
})

test('[INV-05] a PDF explains what an import states: a tax without a row, what was settled, and what a credit note corrects', async () => {
  const invoice = await addOwnInvoice({ net_minor: 10_000, amount_minor: 11_000, amount_due_minor: 4_000 })
  const note = await addOwnInvoice({ net_minor: -5_000, amount_minor: -5_000, amount_due_minor: -2_000, status: 9, corrects: 'N-7' })
  expect(await pdfText(invoice)).toMatch(
    /Subtotal \$100\.00 Tax \$10\.00 Total \$110\.00 Paid or credited so far -\$70\.00 Amount due \(AUD\) \$40\.00/,
  )
  expect(await pdfText(note)).toMatch(/Corrects N-7 .*Total -\$50\.00 Set off so far \$30\.00 Credit \(AUD\) \$20\.00/)
})

/** The text of the first page of an invoice's PDF. */
const pdfText = async (id: number): Promise<string> => {
  const { rawPayload } = await get(`/v1/ec/invoices/${id}`)
  const pdf = await getDocument({ data: new Uint8Array(rawPayload), verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str.trim()] : [])).join(' ')
}

test.each(['-1', '0', '1e3', '1.5', '0x10', '%201', '01', '9007199254740993', '9'.repeat(30), 'abc', 'null', '%00'])(
  '[INV-01] /v1/ec/invoices/%s is no invoice: refused in words, never an error of ours',
  async (id) => {
    const answer = await get(`/v1/ec/invoices/${id}`)
    expect([answer.statusCode, answer.json().errors[0]?.path]).toEqual([400, 'params.id'])
  },
)

test('[INV-01] an unknown invoice id is not found', async () => {
  for (const id of ['1', '9007199254740991']) {
    const answer = await get(`/v1/ec/invoices/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  }
})

const statuses = async () => (await list()).map(({ invoiceStatus }) => invoiceStatus)

test('[INV-01] an invoice becomes overdue at midnight UTC by itself', async () => {
  await addOwnInvoice({ due_on: '2026-11-20' })
  expect(await statuses()).toEqual([1])
  context.advance(12 * 3_600_000 - 1)
  const session = await signInAs(app, await addPerson(context, tenant.resellerId, tenant.brandId, [customerId]))
  get = (path) => clientFor(app, session, customerId).get(path)
  expect(await statuses()).toEqual([1])
  context.advance(1)
  expect(await statuses()).toEqual([5])
})
