import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs, type TestSession, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addCustomer, addTenant, addInvoice, addReseller } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession
let october: number

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context)
  session = await signInAs(app, tenant.person)
  october = await addPeriod(tenant.customerId, '2026-10-01', '2026-10-31')
})
afterAll(() => context.close())

const addPeriod = (customer_id: number, starts_on: string, ends_on: string): Promise<number> =>
  insertRow(context, tenant.resellerId, 'billing_period', { customer_id, starts_on, ends_on })
const get = (path: string) => clientFor(app, session, tenant.customerId).get(path)

test('[TXN-02] the transactions of a period come in the order in which they were billed, exact, with all that they say', async () => {
  const { resellerId, customerId } = tenant
  const service = await insertRow(context, resellerId, 'service', { reseller_id: resellerId, name: '4G Data' })
  const invoice_id = await addInvoice(context, resellerId, customerId, { number: 'INV-77' })
  const invoiceInEuros = await addInvoice(context, resellerId, customerId, { number: 'INV-78', currency: 'EUR' })
  const november = await addPeriod(customerId, '2026-11-01', '2026-11-30')
  const billed = { customer_id: customerId, period_id: october, product_label: 'Fee', product_name: 'FEE', price: '1', quantity: '1' }
  const full = await insertRow(context, resellerId, 'billing_transaction', {
    ...billed,
    invoice_id,
    service_id: service,
    service_item: '0491 570 156',
    site_label: 'Fremantle',
    date_from: '2026-10-01',
    date_to: '2026-10-31',
    price: '1234567.890125',
    quantity: '0.333333333333',
    extra_field1: 'PO-1',
    extra_field3: 'Buyer',
    extra_field5: 'Project',
  })
  const credit = await insertRow(context, resellerId, 'billing_transaction', { ...billed, product_label: 'Credit', price: '-0.005' })
  const inEuros = await insertRow(context, resellerId, 'billing_transaction', { ...billed, invoice_id: invoiceInEuros })
  await insertRow(context, resellerId, 'billing_transaction', { ...billed, period_id: november })

  const nothing = {
    serviceName: null,
    serviceItem: null,
    siteLabel: null,
    invoiceNumber: null,
    dateFrom: null,
    dateTo: null,
    extraField1: null,
    extraField2: null,
    extraField3: null,
    extraField4: null,
    extraField5: null,
  }
  expect((await get(`/v1/ec/transactions?period=${october}`)).json()).toEqual([
    {
      ...nothing,
      id: full,
      productLabel: 'Fee',
      productName: 'FEE',
      serviceName: '4G Data',
      serviceItem: '0491 570 156',
      siteLabel: 'Fremantle',
      invoiceNumber: 'INV-77',
      dateFrom: '2026-10-01',
      dateTo: '2026-10-31',
      price: 1_234_567.890_125,
      currency: 'AUD',
      quantity: 0.333_333_333_333,
      extraField1: 'PO-1',
      extraField3: 'Buyer',
      extraField5: 'Project',
    },
    { ...nothing, id: credit, productLabel: 'Credit', productName: 'FEE', price: -0.005, currency: 'AUD', quantity: 1 },
    { ...nothing, id: inEuros, productLabel: 'Fee', productName: 'FEE', invoiceNumber: 'INV-78', price: 1, currency: 'EUR', quantity: 1 },
  ])
})

test("[TXN-02] another customer's period is not found, like one that does not exist", async () => {
  const foreign = await addPeriod(await addCustomer(context, tenant.resellerId, tenant.brandId), '2026-10-01', '2026-10-31')
  for (const period of [foreign, 987_654_321]) {
    const answer = await get(`/v1/ec/transactions?period=${period}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  }
})

test('[TXN-02] a period without transactions has an empty list', async () => {
  const empty = await addPeriod(tenant.customerId, '2025-01-01', '2025-01-31')
  expect((await get(`/v1/ec/transactions?period=${empty}`)).json()).toEqual([])
})

test.each([
  ['', 'query.period'],
  ['?period=', 'query.period'],
  ['?period=0', 'query.period'],
  ['?period=october', 'query.period'],
  ['?period=1e3', 'query.period'],
  ['?period=1&period=2', 'query.period'],
  ['?period=9007199254740993', 'query.period'],
])('[TXN-02] a period of "%s" is refused, and the field is named', async (query, path) => {
  const answer = await get(`/v1/ec/transactions${query}`)
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([400, path])
})

test('[TXN-03] extra fields are called what the reseller calls them', async () => {
  expect((await get('/v1/ec/extra-fields/labels')).json()).toEqual([])
  const row = { reseller_id: tenant.resellerId, extra_field1: 'Order No.', extra_field5: 'Project' }
  await insertRow(context, tenant.resellerId, 'extra_field_label', { ...row, extra_field_type_id: 3 })
  const another = await addReseller(context)
  await insertRow(context, another, 'extra_field_label', { reseller_id: another, extra_field_type_id: 3, extra_field1: 'Not ours' })
  expect((await get('/v1/ec/extra-fields/labels')).json()).toEqual([
    { extraFieldTypeId: 3, extraField1: 'Order No.', extraField2: null, extraField3: null, extraField4: null, extraField5: 'Project' },
  ])
})
