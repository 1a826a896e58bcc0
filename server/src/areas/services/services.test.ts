import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { as, signInAs } from '../../../test/support/http-client.ts'
import { type TestHouse, testHouse } from '../../../test/support/test-app.ts'
import { add, addCustomer, addFamily } from '../../../test/support/people.ts'

let house: TestHouse
let app: FastifyInstance

beforeAll(async () => {
  house = await testHouse()
  app = await house.app()
})
afterAll(() => house.close())

test('[CC-01] the services are those of which the customer has items or usage, by name, each once', async () => {
  const { resellerId, brandId, customerId, person } = await addFamily(house)
  const addService = (name: string, more: object = {}): Promise<number> =>
    add(house, resellerId, 'service', { reseller_id: resellerId, name, ...more })
  const voice = await addService('Voice', { service_item_label: 'Number' })
  const data = await addService('4G Data')
  const roaming = await addService('Roaming')
  const another = await addCustomer(house, resellerId, brandId)
  await add(house, resellerId, 'service_item', { customer_id: another, service_id: roaming, service_item: '0400' })
  const signed = as(app, await signInAs(app, person))
  expect((await signed.get('/v1/ec/services')).json()).toEqual([])

  for (const service_item of ['0401', '0402'])
    await add(house, resellerId, 'service_item', { customer_id: customerId, service_id: voice, service_item })
  const record_type_id = await add(house, resellerId, 'record_type', { reseller_id: resellerId, service_id: data, description: 'Data' })
  for (const service_id of [data, voice])
    await add(house, resellerId, 'usage_record', {
      customer_id: customerId,
      usage_at: new Date('2026-11-03T10:00:00Z'),
      service_id,
      record_type_id,
      units: '1',
      price: '1',
    })
  expect((await signed.get('/v1/ec/services')).json()).toEqual([
    { id: data, name: '4G Data', serviceItemLabel: 'Service Item' },
    { id: voice, name: 'Voice', serviceItemLabel: 'Number' },
  ])
})
