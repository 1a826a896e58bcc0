import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { ServiceItem } from '@counterfoil/contract/service-items'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { type Answer, clientFor, sendRequest, signInAs, type TestSession, problemBody } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { changeBrand, insertRow, addCustomer, addTenant } from '../../../test/support/people.ts'
import { addUsage, insertUsage } from '../../../test/support/usage.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession
let data: number
let voice: number
let item: ServiceItem

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(() => context.close())

beforeEach(async () => {
  tenant = await addTenant(context)
  session = await signInAs(app, tenant.person)
  const own = { reseller_id: tenant.resellerId }
  data = await insertRow(context, tenant.resellerId, 'service', { ...own, name: '4G Data' })
  voice = await insertRow(context, tenant.resellerId, 'service', { ...own, name: 'Voice' })
  item = await addItem(data, '0491 570 156')
})

const addItem = async (serviceId: number, serviceItem: string, customerId = tenant.customerId): Promise<ServiceItem> => {
  const texts = { description: 'Truck 1', cost_centre: 'FLEET' }
  const row = { customer_id: customerId, service_id: serviceId, service_item: serviceItem, ...texts }
  const id = await insertRow(context, tenant.resellerId, 'service_item', row)
  return { id, serviceId, serviceItem, description: texts.description, costCentre: texts.cost_centre }
}

const list = async (query = ''): Promise<ServiceItem[]> =>
  (await clientFor(app, session, tenant.customerId).get(`/v1/ec/service-items${query}`)).json()

const putItem = (id: number | string, payload: object | string): Promise<Answer> =>
  sendRequest(app, {
    method: 'PUT',
    url: `/v1/ec/service-items/${id}`,
    payload,
    headers: {
      authorization: `Bearer ${session.accessToken}`,
      [CUSTOMER_HEADER]: String(tenant.customerId),
      'content-type': 'application/json',
    },
  })

test('[CC-01][SI-01] service items come by what they are called, of one service or of all', async () => {
  const later = await addItem(data, '0491 570 200')
  const twin = await addItem(voice, '0491 570 156')
  await addItem(data, '0400', await addCustomer(context, tenant.resellerId, tenant.brandId))
  expect(await list(`?service=${data}`)).toEqual([item, later])
  for (const all of ['', '?service=0']) expect(await list(all)).toEqual([item, twin, later])
  expect(await list('?service=987654321')).toEqual([])
})

test.each(['?service=-1', '?service=x', '?service=1.5', '?sevice=1', '?service='])('"%s" is refused', async (query) => {
  const answer = await clientFor(app, session, tenant.customerId).get(`/v1/ec/service-items${query}`)
  expect(answer.statusCode).toBe(400)
})

test('[CC-01] ten thousand service items come in one response', async () => {
  const { resellerId, customerId } = tenant
  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    sql`insert into service_item (customer_id, service_id, service_item, description)
      select ${customerId}, ${voice}, 'line ' || lpad(n::text, 5, '0'), 'Desk ' || n from generate_series(1, 10000) n`.execute(db),
  )
  const items = await list(`?service=${voice}`)
  expect(items).toHaveLength(10_000)
  expect([items[0]?.serviceItem, items[9_999]?.serviceItem]).toEqual(['line 00001', 'line 10000'])
})

test('[CC-02] description and cost centre are stored as typed and returned', async () => {
  const typed = { description: '  Truck 9, “dash” camera ', costCentre: '=FLEET+1' }
  const answer = await putItem(item.id, typed)
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...item, ...typed }])
  expect(await list()).toEqual([{ ...item, ...typed }])
})

test('[CC-02] a field that is not sent stays, so two people who edit one field each both keep what they typed', async () => {
  const seen = { description: item.description, costCentre: item.costCentre }
  await putItem(item.id, { description: 'Truck 2', basedOn: { description: seen.description } })
  const second = await putItem(item.id, { costCentre: 'SALES', basedOn: { costCentre: seen.costCentre } })
  expect([second.statusCode, second.json()]).toEqual([200, { ...item, description: 'Truck 2', costCentre: 'SALES' }])
})

test('[CC-02] a save that is based on a value that somebody changed meanwhile is refused, and changes nothing', async () => {
  const update = (description: string): Promise<Answer> => putItem(item.id, { description, basedOn: { description: item.description } })
  const answers = await Promise.all([update('Truck 2'), update('Truck 3')])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('record_changed')
  expect(await list()).toEqual([answers.find(({ statusCode }) => statusCode === 200)?.json()])
})

test.each([null, ''])('[CC-02] %j empties both', async (nothing) => {
  const answer = await putItem(item.id, { description: nothing, costCentre: nothing })
  expect(answer.json()).toEqual({ ...item, description: null, costCentre: null })
  expect(await list()).toEqual([{ ...item, description: null, costCentre: null }])
})

test('[CC-02] other fields of a service item may be sent and change nothing', async () => {
  const answer = await putItem(item.id, { ...item, id: 1, serviceId: voice, serviceItem: 'another', costCentre: 'NEW' })
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...item, costCentre: 'NEW' }])
  expect(await list()).toEqual([{ ...item, costCentre: 'NEW' }])
})

test("[CC-02] another customer's service item is not found, like one that does not exist, and stays as it is", async () => {
  const foreign = await addItem(data, '0499', await addCustomer(context, tenant.resellerId, tenant.brandId))
  for (const id of [foreign.id, 987_654_321]) {
    const answer = await putItem(id, { description: 'mine', costCentre: 'mine' })
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  }
  const { rows } = await context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, (db) =>
    sql`select description, cost_centre from service_item where id = ${foreign.id}`.execute(db),
  )
  expect(rows).toEqual([{ description: 'Truck 1', cost_centre: 'FLEET' }])
})

test.each<[string, object | string, string]>([
  ['a description of 501 characters', { description: 'x'.repeat(501), costCentre: null }, 'body.description'],
  ['a cost centre of 501 characters', { description: null, costCentre: 'x'.repeat(501) }, 'body.costCentre'],
  ['a number for a description', { description: 7, costCentre: null }, 'body.description'],
  ['a NUL in a cost centre', { description: null, costCentre: 'a\0b' }, 'body.costCentre'],
  ['half of a character in a description', { description: 'Truck \ud83d', costCentre: null }, 'body.description'],
  ['an unknown field', { description: null, costCentre: null, site: 'x' }, 'body.site'],
])('[CC-02] %s is refused, the field is named, and nothing is written', async (_, body, path) => {
  const answer = await putItem(item.id, body)
  expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path])
  expect(await list()).toEqual([item])
})

test('[CC-02] a text that is too long is rejected with its maximum length', async () => {
  const [problem] = (await putItem(item.id, { description: 'x'.repeat(501), costCentre: null })).json().errors
  expect(problem.message).toBe('may have at most 500 characters')
})

test('[CC-02] a description of 500 characters outside the first plane is one of 500 characters', async () => {
  const description = '🚚'.repeat(500)
  expect((await putItem(item.id, { description, costCentre: null })).json().description).toBe(description)
})

test('[CC-02] a description of ten megabytes is too large to be read', async () => {
  const answer = await putItem(item.id, { description: 'x'.repeat(10_000_000), costCentre: null })
  expect([answer.statusCode, answer.json()]).toEqual([413, problemBody('request_too_large', 'The request is too large.')])
  expect(await list()).toEqual([item])
})

test('[CC-02] after two concurrent saves the texts of one of them are stored, never a mixture', async () => {
  const typed = Array.from({ length: 10 }, (_, n) => ({ description: `Truck ${n}`, costCentre: `CC-${n}` }))
  const answers = await Promise.all(typed.map((texts) => putItem(item.id, texts)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(typed.map(() => 200))
  const [saved] = await list()
  expect(typed).toContainEqual({ description: saved?.description, costCentre: saved?.costCentre })
})

const usageOf = async (query = '', customer = tenant.customerId, by = session) =>
  (await clientFor(app, by, customer).get(`/v1/ec/service-items/usage${query}`)).json<{
    from: string
    to: string
    items: { id: number; price: string }[]
  }>()

test('[EASE-06] the usage of this month is priced exactly for each service item, of one service or of all', async () => {
  const known = await addUsage(context, 2_000)
  const by = await signInAs(app, known.person)
  const expected = (isMeant: (service: number) => boolean): Record<number, number> => {
    const sums: Record<number, number> = {}
    for (const { at, service, serviceItem, shown } of known.records)
      if (at >= '2026-11-01' && at < '2026-11-21' && serviceItem !== null && isMeant(service))
        sums[serviceItem] = (sums[serviceItem] ?? 0) + Math.round(Number(shown.price) * 10_000)
    return sums
  }
  const service = known.kinds[0]?.service ?? 0
  for (const [query, isMeant] of [
    ['', () => true],
    [`?service=${service}`, (id: number) => id === service],
  ] as const) {
    const { from, to, items } = await usageOf(query, known.customerId, by)
    expect([from, to]).toEqual(['2026-11-01', '2026-11-20'])
    const actual = Object.fromEntries(items.map(({ id, price }) => [id, Math.round(Number(price) * 10_000)]))
    expect(actual).toEqual(expected(isMeant))
    expect(items.length).toBeGreaterThan(10)
  }
})

test('[EASE-06] prices keep all their digits, and neither other months nor other customers count', async () => {
  const { resellerId, customerId } = tenant
  const recordType = await insertRow(context, resellerId, 'record_type', { reseller_id: resellerId, service_id: data, description: 'data' })
  const record = (price: string, usage_at: string, customer_id = customerId, service_item_id: number | null = item.id) =>
    insertUsage(context, resellerId, customer_id, [
      { service_item_id, service_id: data, record_type_id: recordType, usage_at, units: '1', price },
    ])
  for (const price of ['0.1', '0.2', '0.000000000000000001', '123456789012.3456']) await record(price, '2026-11-20T23:59:59Z')
  await record('5', '2026-10-31T23:59:59Z')
  await record('7', '2026-11-02T00:00:00Z', customerId, null)
  await record('9', '2026-11-02T00:00:00Z', await addCustomer(context, resellerId, tenant.brandId))
  expect((await usageOf()).items).toEqual([{ id: item.id, price: '123456789012.645600000000000001' }])
  expect((await usageOf(`?service=${voice}`)).items).toEqual([])
})

test('[EASE-06] where cost centres are closed their usage is not found', async () => {
  await changeBrand(context, tenant.resellerId, tenant.brandId, { end_show_cost_centre: false })
  context.advance(1_000)
  const answer = await clientFor(app, session, tenant.customerId).get('/v1/ec/service-items/usage')
  expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
})
