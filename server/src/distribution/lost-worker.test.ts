import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CitusDatabase, openCitusDatabase } from '../../test/databases/citus.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addUsage } from '../../test/support/usage.ts'
import { postgresStore } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { distributeUsage } from './distribute.service.ts'

const citusUrl = process.env['TEST_CITUS_URL']
/** A command that kills, starts, pauses or resumes the first worker. */
const workerCommand = process.env['TEST_CITUS_WORKER']

const USAGE = '/v1/ec/usage?dateFrom=2026-06-01&dateTo=2026-12-31'
const UNREADABLE = 'We cannot read your usage just now. Please try again in a moment.'
/** Far below the limit of a statement, for which a worker that hangs keeps its own waiting. */
const SOON_MS = 5_000

const tellWorker = async (what: 'kill' | 'start' | 'pause' | 'resume'): Promise<void> => {
  await promisify(execFile)(workerCommand ?? '', [what])
}

describe.skipIf(citusUrl === undefined || workerCommand === undefined)('a worker that is lost', () => {
  let database: CitusDatabase
  let context: TestContext
  /** Calls as somebody whose usage is on the worker that is lost, as somebody else, and another sign-in of the first. */
  let lost: ReturnType<typeof clientFor>
  let other: ReturnType<typeof clientFor>
  let signInAgain: () => Promise<unknown>

  beforeAll(async () => {
    database = await openCitusDatabase(citusUrl ?? '', `counterfoil_lost_${process.pid}`)
    const store = postgresStore(database.url, () => undefined)
    await migrate(store)
    context = await testContext({}, { store })
    const distributing = postgresStore(database.url, console.error, { maxPerPool: 4, name: 'counterfoil start', isDistributed: true })
    await distributeUsage(distributing, () => undefined)
    await distributing.close()
    const app = await context.app()
    const isOnLostWorker = async (customerId: number): Promise<boolean> => {
      const { rows } = await store.pools.urgent.query<{ isFirst: boolean }>(
        `select groupid = (select min(groupid) from pg_dist_node where groupid > 0) as "isFirst"
         from pg_dist_placement where shardid = get_shard_id_for_distribution_column('usage_record', $1::integer)`,
        [customerId],
      )
      return rows[0]?.isFirst === true
    }
    const clients = new Map<boolean, ReturnType<typeof clientFor>>()
    while (clients.size < 2) {
      const { person, customerId } = await addUsage(context, 50)
      const isLost = await isOnLostWorker(customerId)
      clients.set(isLost, clientFor(app, await signInAs(app, person), customerId))
      if (isLost) signInAgain = () => signInAs(app, person)
    }
    lost = clients.get(true)!
    other = clients.get(false)!
    await mergeUsage(store, new AbortController().signal)
  }, 300_000)
  afterAll(async () => {
    await tellWorker('resume')
    await tellWorker('start')
    await context.close()
    await database.drop()
  })

  const statusOf = async (client: ReturnType<typeof clientFor>, path: string): Promise<number> => (await client.get(path)).statusCode

  /** What goes on whatever the worker does. */
  const expectRest = async (): Promise<void> => {
    const startedAt = performance.now()
    expect(await statusOf(lost, '/v1/ec/invoices')).toBe(200)
    expect(await statusOf(lost, '/v1/ec/service-items')).toBe(200)
    expect(await statusOf(other, '/v1/ec/invoices')).toBe(200)
    expect(await statusOf(other, USAGE)).toBe(200)
    await signInAgain()
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
  }
  const expectUnreadable = async (): Promise<void> => {
    const answer = await lost.get(USAGE)
    expect(answer.statusCode, answer.body).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'database_unavailable', message: UNREADABLE })
  }
  const expectBack = () => vi.waitFor(async () => expect(await statusOf(lost, USAGE)).toBe(200), { timeout: 60_000, interval: 200 })

  test('[SCALE-05] one that was killed takes the usage of its own customers with it, and nothing else, until it is there again', async () => {
    await expectBack()
    await tellWorker('kill')
    for (let times = 0; times < 5; times += 1) {
      await expectUnreadable()
      await expectRest()
    }
    await tellWorker('start')
    await expectBack()
  }, 120_000)

  test('[SCALE-05] one that hangs keeps those waiting who ask for its usage, and nobody else; it comes back without a hand', async () => {
    await tellWorker('pause')
    const over = new AbortController()
    const asking = Promise.all(Array.from({ length: 8 }, () => statusOf(lost, USAGE))).finally(() => over.abort())
    let times = 0
    for (; !over.signal.aborted; times += 1) await expectRest()
    expect(times).toBeGreaterThan(3)
    expect(new Set(await asking)).toEqual(new Set([503]))
    await expectUnreadable()
    await expectRest()
    await tellWorker('resume')
    await expectBack()
    const atWork = `from pg_stat_activity where application_name = 'counterfoil usage' and state <> 'idle' and datname = current_database()`
    await vi.waitFor(async () => expect((await context.store.pools.urgent.query(`select ${atWork}`)).rowCount).toBe(0), { timeout: 30_000 })
  }, 180_000)
})
