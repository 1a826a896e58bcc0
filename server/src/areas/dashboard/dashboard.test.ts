import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs, type TestSession, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addBrand, addCustomer, addTenant, addPerson, addReseller } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession
let emptyCustomerId: number

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context, { reseller: { id: 2204 } })
  const { resellerId, brandId, customerId, person } = tenant
  emptyCustomerId = await addCustomer(context, resellerId, brandId)
  await insertRow(context, resellerId, 'user_customer', { user_id: person.id, customer_id: emptyCustomerId })
  session = await signInAs(app, person)

  const days = [
    ['2024-12-31', '5'],
    ['2025-01-15', '1'],
    ['2026-09-30', '0.1'],
    ['2026-10-01', '0.1'],
    ['2026-10-31', '0.2'],
    ['2026-11-01', '1.5'],
    ['2026-11-07', '0.25'],
    ['2026-11-08', '2'],
    ['2026-11-29', '4'],
    ['2026-11-30', '0.125'],
    ['2026-12-01', '99'],
  ] as const
  for (const [used_on, gigabytes] of days)
    await insertRow(context, resellerId, 'data_usage_day', { customer_id: customerId, used_on, gigabytes })
})
afterAll(() => context.close())

const get = async (path: string, customerId = tenant.customerId): Promise<unknown> =>
  (await clientFor(app, session, customerId).get(path)).json()

test('[DASH-01][EASE-01] an opening balance is a number with the day for which it stands, and both are null where none is recorded', async () => {
  expect(await get('/v1/ec/opening-balance', emptyCustomerId)).toEqual({ balance: null, asOf: null })
  await insertRow(context, tenant.resellerId, 'opening_balance', {
    customer_id: emptyCustomerId,
    balance_minor: -123_456,
    as_of_on: '2026-11-01',
  })
  expect(await get('/v1/ec/opening-balance', emptyCustomerId)).toEqual({ balance: -1_234.56, asOf: '2026-11-01' })
})

test.each([
  ['JPY', 1_234, 1_234],
  ['KWD', 1_234, 1.234],
  ['AUD', 10, 0.1],
  ['AUD', 999_999_999_999_999, 9_999_999_999_999.99],
])('[DASH-01] a balance in %s of %i minor units reads %d', async (currency, balance_minor, balance) => {
  const customerId = await addCustomer(context, tenant.resellerId, tenant.brandId, { currency })
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [customerId])
  await insertRow(context, tenant.resellerId, 'opening_balance', { customer_id: customerId, balance_minor, as_of_on: '2026-11-01' })
  expect((await clientFor(app, await signInAs(app, person)).get('/v1/ec/opening-balance')).json()).toMatchObject({ balance })
})

test('[DASH-05] bundles come in the order in which they were set up, their products by number, exact', async () => {
  const { resellerId, customerId } = tenant
  expect(await get('/v1/ec/bundle-widget')).toEqual([])
  const own = { customer_id: customerId }
  const zeta = await insertRow(context, resellerId, 'bundle', { ...own, name: 'Zeta' })
  const alpha = await insertRow(context, resellerId, 'bundle', { ...own, name: 'Alpha' })
  await insertRow(context, resellerId, 'bundle', { ...own, name: 'Nothing in it' })
  const product = { customer_id: customerId, unit_label: 'GB', quantity: '100', consumption: '12.345' }
  await insertRow(context, resellerId, 'bundle_product', { ...product, bundle_id: alpha, product_no: 1, product_name: 'Only' })
  await insertRow(context, resellerId, 'bundle_product', {
    ...product,
    bundle_id: zeta,
    product_no: 2,
    product_name: 'Second',
    service_item: '0400',
  })
  await insertRow(context, resellerId, 'bundle_product', {
    ...product,
    bundle_id: zeta,
    product_no: 1,
    product_name: 'First',
    consumption: '0.1',
  })
  const shown = { serviceItem: '', quantity: 100, unitLabel: 'GB', consumption: 12.345 }
  expect(await get('/v1/ec/bundle-widget')).toEqual([
    {
      bundleName: 'Zeta',
      bundle_products: [
        { ...shown, productName: 'First', consumption: 0.1 },
        { ...shown, productName: 'Second', serviceItem: '0400' },
      ],
    },
    { bundleName: 'Alpha', bundle_products: [{ ...shown, productName: 'Only' }] },
    { bundleName: 'Nothing in it', bundle_products: [] },
  ])
})

test('[DASH-06] data usage of the periods comes by month, newest first, summed exactly, of the last 24 months', async () => {
  expect(await get('/v1/ec/jasper-usage/all')).toEqual([
    { periodLabel: 'November 2026', periodStart: '2026-11-01', periodEnd: '2026-11-30', dataUsage: 7.875 },
    { periodLabel: 'October 2026', periodStart: '2026-10-01', periodEnd: '2026-10-31', dataUsage: 0.3 },
    { periodLabel: 'September 2026', periodStart: '2026-09-01', periodEnd: '2026-09-30', dataUsage: 0.1 },
    { periodLabel: 'January 2025', periodStart: '2025-01-01', periodEnd: '2025-01-31', dataUsage: 1 },
    { periodLabel: 'December 2024', periodStart: '2024-12-01', periodEnd: '2024-12-31', dataUsage: 5 },
  ])
})

test('[DASH-06] data usage of the current month comes by week, and the last week ends with the month', async () => {
  expect(await get('/v1/ec/jasper-usage')).toEqual([
    { periodLabel: '1 – 7 Nov', periodStart: '2026-11-01', periodEnd: '2026-11-07', dataUsage: 1.75 },
    { periodLabel: '8 – 14 Nov', periodStart: '2026-11-08', periodEnd: '2026-11-14', dataUsage: 2 },
    { periodLabel: '29 – 30 Nov', periodStart: '2026-11-29', periodEnd: '2026-11-30', dataUsage: 4.125 },
  ])
})

test('[DASH-06] a customer without data usage has empty charts', async () => {
  for (const path of ['/v1/ec/jasper-usage', '/v1/ec/jasper-usage/all']) expect(await get(path, emptyCustomerId)).toEqual([])
})

test('[DASH-06] the charts are refused to customers of every reseller but 2204', async () => {
  const resellerId = await addReseller(context, { id: 2205 })
  const brandId = await addBrand(context, resellerId)
  const person = await addPerson(context, resellerId, brandId, [await addCustomer(context, resellerId, brandId)])
  const client = clientFor(app, await signInAs(app, person))
  for (const path of ['/v1/ec/jasper-usage', '/v1/ec/jasper-usage/all']) {
    const answer = await client.get(path)
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      problemBody('data_usage_unavailable', 'Data usage charts are not part of this portal.'),
    ])
  }
  expect((await client.get('/v1/ec/opening-balance')).statusCode).toBe(200)
})

test('[DASH-06] in February the last week begins on the 22nd', async () => {
  const { resellerId, customerId } = tenant
  await insertRow(context, resellerId, 'data_usage_day', { customer_id: customerId, used_on: '2027-02-28', gigabytes: '1' })
  context.advance(100 * 86_400_000) // to 28 February 2027
  const laterSession = await signInAs(app, tenant.person)
  const answer = await clientFor(app, laterSession, customerId).get('/v1/ec/jasper-usage')
  expect(answer.json()).toEqual([{ periodLabel: '22 – 28 Feb', periodStart: '2027-02-22', periodEnd: '2027-02-28', dataUsage: 1 }])
})
