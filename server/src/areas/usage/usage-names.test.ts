import { afterAll, beforeAll, expect, test } from 'vitest'
import type { usage, UsageRecord } from '@counterfoil/contract/usage'
import type { ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage } from '../../../test/support/usage.ts'

let context: TestContext
let seeded: Awaited<ReturnType<typeof addUsage>>
let call: ReturnType<typeof clientFor>

beforeAll(async () => {
  context = await testContext()
  seeded = await addUsage(context, 400)
  const app = await context.app()
  call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
})
afterAll(() => context.close())

const readPage = async (): Promise<readonly UsageRecord[]> => {
  const answer = await call.get('/v1/ec/usage?dateFrom=2026-06-01&dateTo=2026-12-31&pageSize=1000')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<ResponseBody<typeof usage.list>>().endUsageDetails
}

const namesIn = (records: readonly UsageRecord[]): Set<string | null> => new Set(records.map(({ serviceItemName }) => serviceItemName))

/** A change that this server hears of from the database alone, as one of another process. */
const changeElsewhere = (statement: string, values: readonly unknown[]): Promise<unknown> =>
  queryAsAdministrator(context, statement, [...values])

test('[USG-05] a description that is changed in the portal stands on the next page of usage', async () => {
  const [item] = seeded.items
  expect((await readPage()).some(({ serviceItemDescription }) => serviceItemDescription === 'Van of the depot')).toBe(false)
  const saved = await call.put(`/v1/ec/service-items/${item?.id}`, { description: 'Van of the depot' })
  expect(saved.statusCode, saved.body).toBeLessThan(300)
  const shown = (await readPage()).filter(({ serviceItemDescription }) => serviceItemDescription === 'Van of the depot')
  expect(shown.length).toBe(seeded.records.filter(({ serviceItem }) => serviceItem === item?.id).length)
})

test('[USG-05] names that another process changes, makes or takes away stand on the next page', async () => {
  const [first, second] = seeded.items
  const before = await readPage()
  await changeElsewhere('update service_item set service_item = $2 where id = $1', [first?.id, 'Renamed elsewhere'])
  expect(namesIn(await readPage())).toContain('Renamed elsewhere')

  await changeElsewhere('delete from service_item where id = $1', [second?.id])
  const without = await readPage()
  expect(without.map(({ date }) => date)).toEqual(before.map(({ date }) => date))
  expect(namesIn(without)).toContain(null)
  await changeElsewhere(
    'insert into service_item (customer_id, id, service_id, service_item) select $1, $2, service_id, $3 from service_item limit 1',
    [seeded.customerId, second?.id, 'Made elsewhere'],
  )
  expect(namesIn(await readPage())).toContain('Made elsewhere')

  const [kind] = seeded.kinds
  await changeElsewhere('update record_type set description = $2 where id = $1', [kind?.type, 'Roaming, renamed'])
  expect(new Set((await readPage()).map(({ recordType }) => recordType))).toContain('Roaming, renamed')
})
