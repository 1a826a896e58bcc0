import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs, type TestSession } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addCustomer, addTenant, addPerson } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context)
  session = await signInAs(app, tenant.person)
})
afterAll(() => context.close())

const get = (path: string) => clientFor(app, session, tenant.customerId).get(path)

test("[TXN-01] agreements come by name, of the customer's own alone", async () => {
  const { resellerId, brandId, customerId } = tenant
  const another = await addCustomer(context, resellerId, brandId)
  await insertRow(context, resellerId, 'agreement', { customer_id: another, name: 'Another customer' })
  expect((await get('/v1/ec/agreements')).json()).toEqual([])
  const office = await insertRow(context, resellerId, 'agreement', { customer_id: customerId, name: 'Office' })
  const fleet = await insertRow(context, resellerId, 'agreement', { customer_id: customerId, name: 'Fleet' })
  expect((await get('/v1/ec/agreements')).json()).toEqual([
    { id: fleet, agreementName: 'Fleet' },
    { id: office, agreementName: 'Office' },
  ])
})

test('[TXN-01] the periods of an agreement are its own and those that all agreements share, newest first; a month has month and year', async () => {
  const { resellerId, brandId } = tenant
  const customerId = await addCustomer(context, resellerId, brandId)
  const person = await addPerson(context, resellerId, brandId, [customerId])
  const own = { customer_id: customerId }
  const fleet = await insertRow(context, resellerId, 'agreement', { ...own, name: 'Fleet' })
  const office = await insertRow(context, resellerId, 'agreement', { ...own, name: 'Office' })
  const period = (starts_on: string, ends_on: string, agreement_id: number | null): Promise<number> =>
    insertRow(context, resellerId, 'billing_period', { ...own, starts_on, ends_on, agreement_id })
  const february = await period('2024-02-01', '2024-02-29', null)
  const halfMonths = await period('2024-03-16', '2024-04-15', fleet)
  const shortMonth = await period('2024-03-01', '2024-03-30', fleet)
  const officePeriod = await period('2024-03-01', '2024-03-31', office)

  const client = clientFor(app, await signInAs(app, person))
  const shared = {
    id: february,
    month: 2,
    year: 2024,
    periodStart: '2024-02-01',
    periodEnd: '2024-02-29',
    periodLabel: 'February 2024',
  }
  const days = { month: null, year: null }
  expect((await client.get(`/v1/ec/billing-periods/${fleet}`)).json()).toEqual([
    { id: halfMonths, ...days, periodStart: '2024-03-16', periodEnd: '2024-04-15', periodLabel: '2024-03-16 – 2024-04-15' },
    { id: shortMonth, ...days, periodStart: '2024-03-01', periodEnd: '2024-03-30', periodLabel: '2024-03-01 – 2024-03-30' },
    shared,
  ])
  expect((await client.get(`/v1/ec/billing-periods/${office}`)).json()).toEqual([
    { id: officePeriod, month: 3, year: 2024, periodStart: '2024-03-01', periodEnd: '2024-03-31', periodLabel: 'March 2024' },
    shared,
  ])
})

test("[TXN-01] another customer's agreement is not found, like one that does not exist", async () => {
  const { resellerId, brandId } = tenant
  const another = await addCustomer(context, resellerId, brandId)
  const foreign = await insertRow(context, resellerId, 'agreement', { customer_id: another, name: 'Not ours' })
  for (const id of [foreign, 987_654_321, Number.MAX_SAFE_INTEGER]) {
    const answer = await get(`/v1/ec/billing-periods/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'There is nothing at this address.' }])
  }
})

test.each(['0', '-1', '1.5', '1e3', 'x', '9007199254740993', '%00'])('an agreement of the id "%s" is no agreement', async (id) => {
  const answer = await get(`/v1/ec/billing-periods/${id}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors[0].path).toBe('params.id')
})
