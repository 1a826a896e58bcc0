import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addCustomer, addTenant } from '../../../test/support/people.ts'
import { insertUsage } from '../../../test/support/usage.ts'

let context: TestContext
let app: FastifyInstance

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(() => context.close())

test('[CC-01] the services are those of which the customer has items or usage, by name, each once', async () => {
  const { resellerId, brandId, customerId, person } = await addTenant(context)
  const addService = (name: string, more: object = {}): Promise<number> =>
    insertRow(context, resellerId, 'service', { reseller_id: resellerId, name, ...more })
  const voice = await addService('Voice', { service_item_label: 'Number' })
  const data = await addService('4G Data')
  const roaming = await addService('Roaming')
  const another = await addCustomer(context, resellerId, brandId)
  await insertRow(context, resellerId, 'service_item', { customer_id: another, service_id: roaming, service_item: '0400' })
  const client = clientFor(app, await signInAs(app, person))
  expect((await client.get('/v1/ec/services')).json()).toEqual([])

  for (const service_item of ['0401', '0402'])
    await insertRow(context, resellerId, 'service_item', { customer_id: customerId, service_id: voice, service_item })
  const record_type_id = await insertRow(context, resellerId, 'record_type', {
    reseller_id: resellerId,
    service_id: data,
    description: 'Data',
  })
  const record = { usage_at: '2026-11-03T10:00:00Z', record_type_id, units: '1', price: '1' }
  await insertUsage(
    context,
    resellerId,
    customerId,
    [data, voice].map((service_id) => ({ ...record, service_id })),
  )
  expect((await client.get('/v1/ec/services')).json()).toEqual([
    { id: data, name: '4G Data', serviceItemLabel: 'Service Item' },
    { id: voice, name: 'Voice', serviceItemLabel: 'Number' },
  ])
})
