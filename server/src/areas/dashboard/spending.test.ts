import type { Spending } from '@counterfoil/contract/dashboard'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { addCustomer, addInvoice, addPerson, addTenant, insertRow } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let customerId: number
let get: (query?: string) => ReturnType<ReturnType<typeof clientFor>['get']>

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
  tenant = await addTenant(context)
})
beforeEach(() => startWithNewCustomer())
afterAll(() => context.close())

const startWithNewCustomer = async (currency = 'AUD', currency_symbol = 'A$'): Promise<void> => {
  customerId = await addCustomer(context, tenant.resellerId, tenant.brandId, { currency, currency_symbol })
  const session = await signInAs(app, await addPerson(context, tenant.resellerId, tenant.brandId, [customerId]))
  get = (query = '') => clientFor(app, session, customerId).get(`/v1/ec/spending${query}`)
}

/** Adds an invoice with lines by service and one tax; its amount is what they add up to, unless it is given. */
const bill = async (
  issued_on: string,
  lines: Readonly<Record<string, number>>,
  { tax = 0, ...values }: { tax?: number } & NonNullable<Parameters<typeof addInvoice>[3]> = {},
): Promise<void> => {
  const net = Object.values(lines).reduce((sum, minor) => sum + minor, 0)
  const own = { customer_id: customerId }
  const amounts = { net_minor: net, amount_minor: net + tax, status: 11 } as const
  const invoice_id = await addInvoice(context, tenant.resellerId, customerId, { issued_on, ...amounts, ...values })
  for (const [index, [service_name, amount_minor]] of Object.entries(lines).entries())
    await insertRow(context, tenant.resellerId, 'invoice_line', {
      ...own,
      invoice_id,
      line_no: index + 1,
      service_name,
      description: 'x',
      amount_minor,
    })
  if (tax !== 0)
    await insertRow(context, tenant.resellerId, 'invoice_tax', {
      ...own,
      invoice_id,
      tax_no: 1,
      name: 'GST',
      rate_percent: '10',
      base_minor: net,
      amount_minor: tax,
    })
}

const spending = async (query?: string): Promise<Spending[]> => (await get(query)).json<Spending[]>()
const sumsOf = async (month: string): Promise<Spending['sums']> => (await spending()).find((one) => one.month === month)?.sums ?? []

test('[EASE-08] without a number there are twelve months, oldest first, the running one last, each empty where nothing was invoiced', async () => {
  const months = await spending()
  expect(months).toHaveLength(12)
  expect([months[0], months[11]]).toEqual([
    { month: '2025-12-01', sums: [] },
    { month: '2026-11-01', sums: [] },
  ])
  expect((await spending('?months=24')).map(({ month }) => month).slice(0, 2)).toEqual(['2024-12-01', '2025-01-01'])
})

test('[EASE-08] a month has the exact sums of its invoices by service, their taxes, and what no line accounts for', async () => {
  await bill('2026-10-01', { Voice: 1_010, Data: 20_020 }, { tax: 2_103 })
  await bill('2026-10-31', { Voice: 5, Messages: -30 })
  await bill('2026-10-15', {}, { amount_minor: 999 })
  await bill('2026-09-30', { Voice: 7 })
  expect(await sumsOf('2026-10-01')).toEqual([
    {
      currency: 'AUD',
      currencySymbol: 'A$',
      total: 241.07,
      services: [
        { serviceName: 'Data', amount: 200.2 },
        { serviceName: 'Messages', amount: -0.3 },
        { serviceName: 'Voice', amount: 10.15 },
      ],
      taxes: 21.03,
      other: 9.99,
    },
  ])
  expect(await sumsOf('2026-09-01')).toMatchObject([{ total: 0.07 }])
})

test('[EASE-08] an invoice that was taken back counts for nothing, and one in the customer’s favour is subtracted', async () => {
  await bill('2026-10-01', { Data: 10_000 })
  await bill('2026-10-02', { Data: 24_000 }, { status: 9 })
  await bill('2026-10-03', { Data: -1_500 }, { status: 9 })
  expect(await sumsOf('2026-10-01')).toMatchObject([{ total: 85, services: [{ amount: 85 }], other: 0 }])
})

test('[EASE-08] currencies are never added together; each has its digits, and the customer’s own its symbol', async () => {
  await startWithNewCustomer('KWD', 'KD')
  await bill('2026-11-02', { Data: 1_234 }, { currency: 'KWD' })
  await bill('2026-11-03', { Data: 999_999_999_999_999 }, { currency: 'USD' })
  await bill('2026-11-04', { Data: 5_000 }, { currency: 'JPY' })
  expect((await sumsOf('2026-11-01')).map(({ currency, currencySymbol, total }) => [currency, currencySymbol, total])).toEqual([
    ['JPY', 'JPY', 5_000],
    ['KWD', 'KD', 1.234],
    ['USD', 'USD', 9_999_999_999_999.99],
  ])
})

test('[EASE-08] the hundred largest services of all the months are named, and the rest is other', async () => {
  await bill('2026-10-01', Object.fromEntries(Array.from({ length: 103 }, (_, index) => [`S${index}`, index + 1])))
  await bill('2026-09-01', { S0: 5_000 })
  const [october] = await sumsOf('2026-10-01')
  expect(october?.services).toHaveLength(100)
  // S1, S2 and S3 came to 2, 3 and 4 cents; S0 is the largest of September.
  expect([october?.other, october?.total]).toEqual([0.09, 53.56])
  expect(october?.services.map(({ serviceName }) => serviceName)).toContain('S0')
})

test('[EASE-08] another number of months than 1 to 36 is refused, and where the dashboard is closed there is no spending', async () => {
  for (const query of ['?months=0', '?months=37', '?months=1.5', '?months=x', '?year=2026']) expect((await get(query)).statusCode).toBe(400)
  const { person, customerId: closed } = await addTenant(context, { brand: { end_show_dashboard: false } })
  expect((await clientFor(app, await signInAs(app, person), closed).get('/v1/ec/spending')).statusCode).toBe(404)
})
