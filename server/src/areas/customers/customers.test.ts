import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { as, signInAs } from '../../../test/support/http-client.ts'
import { type TestHouse, testHouse } from '../../../test/support/test-app.ts'
import { addCustomer, addFamily, addPerson } from '../../../test/support/people.ts'

let house: TestHouse
let app: FastifyInstance
let family: Awaited<ReturnType<typeof addFamily>>

beforeAll(async () => {
  house = await testHouse()
  app = await house.app()
  family = await addFamily(house)
})
afterAll(() => house.close())

test('[NAV-05] a user sees the customers to act for, by name, and which one to begin with', async () => {
  const { resellerId, brandId } = family
  const zebra = await addCustomer(house, resellerId, brandId, { label: 'Zebra' })
  const aachen = await addCustomer(house, resellerId, brandId, { label: 'Aachen' })
  await addCustomer(house, resellerId, brandId, { label: 'Nobody of ours' })
  const person = await addPerson(house, resellerId, brandId, [zebra, aachen])
  const answer = await as(app, await signInAs(app, person)).get('/v1/ec/me')
  expect(answer.json()).toEqual({
    customers: [
      { customerId: aachen, label: 'Aachen', selected: false },
      { customerId: zebra, label: 'Zebra', selected: true },
    ],
  })
})

test('[SESS-05] a user without a customer has an empty list, and every other call is refused', async () => {
  const person = await addPerson(house, family.resellerId, family.brandId, [])
  const signed = as(app, await signInAs(app, person))
  expect((await signed.get('/v1/ec/me')).json()).toEqual({ customers: [] })
  const answer = await signed.get('/v1/ec/settings')
  expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'You cannot act for this customer.' }])
})

test('[NAV-05] a user with two customers who names none is told to choose', async () => {
  const { resellerId, brandId, customerId } = family
  const person = await addPerson(house, resellerId, brandId, [customerId, await addCustomer(house, resellerId, brandId)])
  const answer = await as(app, await signInAs(app, person)).get('/v1/ec/settings')
  expect([answer.statusCode, answer.json()]).toEqual([400, { message: 'Choose a customer: send its id in the header X-Customer-Id.' }])
})
