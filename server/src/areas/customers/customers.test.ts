import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addCustomer, addTenant, addPerson } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context)
})
afterAll(() => context.close())

test('[NAV-05] a user sees the customers to act for, by name, and which one to begin with', async () => {
  const { resellerId, brandId } = tenant
  const zebra = await addCustomer(context, resellerId, brandId, { label: 'Zebra' })
  const aachen = await addCustomer(context, resellerId, brandId, { label: 'Aachen' })
  await addCustomer(context, resellerId, brandId, { label: 'Nobody of ours' })
  const person = await addPerson(context, resellerId, brandId, [zebra, aachen])
  const answer = await clientFor(app, await signInAs(app, person)).get('/v1/ec/me')
  expect(answer.json()).toEqual({
    customers: [
      { customerId: aachen, label: 'Aachen', selected: false, currency: 'AUD', currencySymbol: '$' },
      { customerId: zebra, label: 'Zebra', selected: true, currency: 'AUD', currencySymbol: '$' },
    ],
    numberLocale: null,
    receiptEmail: null,
  })
})

test('[NAV-05][BRAND-03] amounts of a customer have the symbol of its brand, and the customer’s own in another currency than the reseller’s', async () => {
  const { resellerId, brandId } = await addTenant(context, { brand: { currency_symbol: 'AU$' } })
  const own = await addCustomer(context, resellerId, brandId, { label: 'A', currency_symbol: 'A$' })
  const other = await addCustomer(context, resellerId, brandId, { label: 'B', currency: 'EUR', currency_symbol: '€' })
  const person = await addPerson(context, resellerId, brandId, [own, other])
  expect((await clientFor(app, await signInAs(app, person)).get('/v1/ec/me')).json()).toMatchObject({
    customers: [
      { customerId: own, currency: 'AUD', currencySymbol: 'AU$' },
      { customerId: other, currency: 'EUR', currencySymbol: '€' },
    ],
  })
})

test('[SESS-05] a user without a customer has an empty list, and every other call is refused', async () => {
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [])
  const signed = clientFor(app, await signInAs(app, person))
  expect((await signed.get('/v1/ec/me')).json()).toMatchObject({ customers: [] })
  const answer = await signed.get('/v1/ec/settings')
  expect([answer.statusCode, answer.json()]).toEqual([403, problemBody('customer_forbidden', 'You cannot act for this customer.')])
})

test('[NAV-05] a user with two customers who names none must choose one', async () => {
  const { resellerId, brandId, customerId } = tenant
  const person = await addPerson(context, resellerId, brandId, [customerId, await addCustomer(context, resellerId, brandId)])
  const answer = await clientFor(app, await signInAs(app, person)).get('/v1/ec/settings')
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    problemBody('customer_required', 'Choose a customer: send its id in the header X-Customer-Id.'),
  ])
})
