import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { COLUMNS, focusCsv, type SampleRow } from './focus-sample.data.ts'
import { type FocusImport, importFocus } from './import-focus.service.ts'

let context: TestContext
let run = 0
let reseller = ''

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(() => {
  run += 1
  reseller = `Rowan ${run}`
})

const WITH_INVOICES = [...COLUMNS, 'InvoiceId']

const load = (rows: readonly SampleRow[], columns = WITH_INVOICES): Promise<FocusImport> => {
  const bytes = Buffer.from(focusCsv(rows, columns))
  const file = {
    bytes: bytes.length,
    async *open() {
      yield bytes
    },
  }
  return importFocus(context, [file], { reseller, brand: 'Rowan', create: true, skipBad: false, dryRun: false, progress: () => undefined })
}

const queryRows = async (query: string): Promise<Record<string, unknown>[]> => {
  const found = await context.store.transact({ role: 'counterfoil_system' }, (db) =>
    db.selectFrom('reseller').select('id').where('name', '=', reseller).executeTakeFirst(),
  )
  if (found === undefined) return []
  return context.store.transact(
    { role: 'counterfoil_reseller', resellerId: found.id },
    async (db) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows,
  )
}

const invoices = () =>
  queryRows(`select replace(i.number, '-' || c.id, '-C') as number, i.net_minor::int as net, i.amount_minor::int as amount, i.amount_due_minor::int as due,
    i.status from invoice i join customer c on c.id = i.customer_id order by i.id`)
const taxes = () =>
  queryRows(`select i.number like 'INV%' as is_named, t.name, t.rate_percent, t.base_minor, t.amount_minor::int as amount
    from invoice_tax t join invoice i on i.customer_id = t.customer_id and i.id = t.invoice_id order by i.id, t.tax_no`)
const prices = async () => (await queryRows(`select u.price::text from usage_record u order by u.price`)).map(({ price }) => price)

const TAX = { ChargeCategory: 'Tax', ChargeDescription: 'GST', ConsumedQuantity: 'NULL', ResourceId: 'NULL', SkuId: 'NULL' }

test('[OPS-03] tax rows become taxes of the invoice, rounded for each name, and no usage', async () => {
  const rows = [
    { BilledCost: '10.004' },
    { BilledCost: '5', ServiceName: 'Compute' },
    { ...TAX, BilledCost: '1.003' },
    { ...TAX, BilledCost: '0.502', ServiceName: 'Of the tax office' },
    { ...TAX, BilledCost: '0.25', ChargeDescription: 'Levy' },
  ]
  expect(await load(rows)).toMatchObject({ rows: 5, newRows: 5, taxRows: 3, sum: '16.759', invoiceSum: '16.76' })
  expect(await invoices()).toEqual([{ number: '202409-C', net: 1500, amount: 1676, due: 1676, status: 1 }])
  expect(await taxes()).toEqual([
    { is_named: false, name: 'GST', rate_percent: null, base_minor: null, amount: 151 },
    { is_named: false, name: 'Levy', rate_percent: null, base_minor: null, amount: 25 },
  ])
  expect(await prices()).toEqual(['5', '10.004'])
  expect(await queryRows(`select name from service order by name`)).toEqual([{ name: 'Compute' }, { name: 'Queues' }])
  expect(await queryRows(`select sum(price)::text as sum from billing_transaction`)).toEqual([{ sum: '15.004' }])
})

test('[OPS-03] taxes that come again change nothing, also such as an earlier release took for usage; new ones join their invoice', async () => {
  const rows = [{ BilledCost: '10' }, { ...TAX, BilledCost: '1' }]
  await load(rows)
  expect(await load(rows)).toMatchObject({ newRows: 0 })
  const [charge] = await queryRows(`select external_id from invoice_tax_charge`)
  await queryRows(`delete from invoice_tax_charge`)
  await queryRows(`insert into usage_record (reseller_id, customer_id, usage_at, service_id, record_type_id, units, price, external_id)
    select reseller_id, customer_id, usage_at, service_id, record_type_id, 0, 1, '${String(charge?.['external_id'])}' from usage_record on conflict do nothing`)
  expect(await load(rows)).toMatchObject({ rows: 2, newRows: 0 })
  expect(await queryRows(`select 1 from invoice_tax_charge`)).toEqual([])
  const more = [...rows, { ...TAX, BilledCost: '0.5' }]
  expect(await load(more)).toMatchObject({ newRows: 1 })
  expect(await load(more)).toMatchObject({ newRows: 0 })
  expect((await taxes()).map(({ amount }) => amount)).toEqual([50])
})

test('[OPS-03] an invoice of taxes alone stands, and a tax that is given back makes it a credit', async () => {
  await load([{ ...TAX, BilledCost: '3.005' }])
  expect(await invoices()).toMatchObject([{ net: 0, amount: 301, due: 301, status: 1 }])
  await load([
    { ...TAX, BilledCost: '3.005' },
    { ...TAX, BilledCost: '-4' },
  ])
  expect(await invoices()).toMatchObject([{ net: 0, amount: -100, due: -100, status: 9 }])
})

test('[OPS-03] each invoice of the provider is one here, under its number; charges without one stay in the invoice of their period', async () => {
  const october = { BillingPeriodStart: '2024-10-01 00:00:00', BillingPeriodEnd: '2024-11-01 00:00:00' }
  const rows = [
    { BilledCost: '1', InvoiceId: 'INV-7' },
    { BilledCost: '2', InvoiceId: 'INV-7' },
    { BilledCost: '4', InvoiceId: 'INV-8' },
    { BilledCost: '8', InvoiceId: 'NULL' },
    { BilledCost: '16', InvoiceId: 'INV-7', SubAccountId: '502', SubAccountName: 'Birch' },
    { BilledCost: '32', InvoiceId: 'INV-8', ...october },
    { ...TAX, BilledCost: '0.4', InvoiceId: 'INV-8' },
  ]
  const first = await load(rows)
  expect(first).toMatchObject({ version: '1.2', rows: 7, invoices: 4, sum: '63.4', invoiceSum: '63.40' })
  expect((await invoices()).toSorted((a, b) => Number(a['amount']) - Number(b['amount']))).toEqual([
    { number: 'INV-7', net: 300, amount: 300, due: 300, status: 1 },
    { number: '202409-C', net: 800, amount: 800, due: 800, status: 1 },
    { number: 'INV-7', net: 1600, amount: 1600, due: 1600, status: 1 },
    { number: 'INV-8', net: 3600, amount: 3640, due: 3640, status: 1 },
  ])
  expect(
    await queryRows(`select l.from_on::text, l.to_on::text from invoice_line l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
      where i.number = 'INV-8'`),
  ).toEqual([{ from_on: '2024-09-01', to_on: '2024-10-31' }])
  expect(await load(rows)).toMatchObject({ newRows: 0, invoices: 4, invoiceSum: '63.40' })
})

test('[OPS-03] later charges join the open invoice with their number; on a paid one they get a further one', async () => {
  const rows = [
    { BilledCost: '1', InvoiceId: 'INV-1' },
    { BilledCost: '2', InvoiceId: 'INV-2' },
  ]
  await load(rows)
  await queryRows(`update invoice set amount_due_minor = 0, status = 11 where number = 'INV-2'`)
  const later = [...rows, { BilledCost: '4', InvoiceId: 'INV-1' }, { BilledCost: '8', InvoiceId: 'INV-2' }]
  expect(await load(later)).toMatchObject({ newRows: 2, invoices: 3 })
  expect((await invoices()).map(({ number, amount, due }) => [number, amount, due])).toEqual([
    ['INV-1', 500, 500],
    ['INV-2', 200, 0],
    ['INV-2-2', 800, 800],
  ])
  expect(await load(later)).toMatchObject({ newRows: 0 })
})

test('[OPS-03] a number that another invoice of the customer has is refused, and nothing is left of the file', async () => {
  await load([{ BilledCost: '1', InvoiceId: 'INV-1' }])
  await queryRows(`update invoice set external_id = 'of the billing engine', provider_number = null`)
  await expect(
    load([
      { BilledCost: '1', InvoiceId: 'INV-1' },
      { BilledCost: '2', InvoiceId: 'INV-1' },
    ]),
  ).rejects.toThrow('Customer 501 already has another invoice with the number INV-1. Nothing was imported.')
  expect(await prices()).toEqual(['1'])
})

/** The columns that each version of FOCUS added, as its specification lists them. */
const ADDED = {
  '1.1':
    'CapacityReservationId CapacityReservationStatus CommitmentDiscountQuantity CommitmentDiscountUnit ServiceSubcategory SkuMeter SkuPriceDetails',
  '1.2':
    'BillingAccountType InvoiceId PricingCurrency PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice SubAccountType',
  '1.3':
    'AllocatedMethodDetails AllocatedMethodId AllocatedResourceId AllocatedResourceName AllocatedTags ContractApplied HostProviderName ServiceProviderName',
}
const OF_1_0 =
  `AvailabilityZone BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory
  ChargeClass ChargeDescription ChargeFrequency ChargePeriodEnd ChargePeriodStart CommitmentDiscountCategory CommitmentDiscountId
  CommitmentDiscountName CommitmentDiscountStatus CommitmentDiscountType ConsumedQuantity ConsumedUnit ContractedCost ContractedUnitPrice
  EffectiveCost InvoiceIssuerName ListCost ListUnitPrice PricingCategory PricingQuantity PricingUnit ProviderName PublisherName RegionId
  RegionName ResourceId ResourceName ResourceType ServiceCategory ServiceName SkuId SkuPriceId SubAccountId SubAccountName Tags`.split(
    /\s+/,
  )
const columnsOf = (version: string): string[] =>
  Object.entries(ADDED).flatMap(([name, columns]) => (name <= version ? columns.split(' ') : []))

test.each(['1.0', '1.1', '1.2', '1.3'])(
  '[OPS-03] FOCUS %s: a file of all its columns is named so, and keeps what has no place of its own',
  async (version) => {
    const added = columnsOf(version)
    const columns = [...OF_1_0, ...added, 'x_Margin', 'x_Empty']
    const values = Object.fromEntries(added.map((name) => [name, name === 'InvoiceId' ? 'INV-3' : `the ${name}`]))
    const row = { ...Object.fromEntries(OF_1_0.map((name) => [name, 'NULL'])), ...values, x_Margin: '{"of": "ours"}', x_Empty: 'NULL' }
    const filled = ['BilledCost', 'BillingAccountId', 'BillingCurrency', 'BillingPeriodEnd', 'BillingPeriodStart', 'ChargeCategory']
    for (const name of [...filled, 'ChargePeriodStart', 'ServiceName']) delete (row as Record<string, string>)[name]
    expect(await load([row], columns)).toMatchObject({ version, rows: 1, newRows: 1 })
    const [record] = await queryRows(`select extras from usage_record`)
    const { InvoiceId: _number, ...kept } = values
    expect(record?.['extras']).toEqual({ ...kept, x_Margin: '{"of": "ours"}' })
    expect((await invoices()).map(({ number }) => number)).toEqual([version >= '1.2' ? 'INV-3' : '202409-C'])
  },
)

test('[OPS-03] a record of columns that all have a place keeps no extras; a value without end is cut', async () => {
  await load(
    [{ BilledCost: '1' }],
    COLUMNS.filter((name) => name !== 'Id'),
  )
  expect(await queryRows(`select extras from usage_record`)).toEqual([{ extras: null }])
  await load([{ BilledCost: '2', x_Note: 'n'.repeat(20_000) }], [...COLUMNS.filter((name) => name !== 'Id'), 'x_Note'])
  expect(await queryRows(`select length(extras ->> 'x_Note') as length from usage_record where extras is not null`)).toEqual([
    { length: 10_001 },
  ])
})
