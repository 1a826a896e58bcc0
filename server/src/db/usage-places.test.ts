import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import type { TenantRole } from './database.ts'
import { UsageBusy, UsageUnreachable } from './lost-connection.ts'

const CONNECTIONS = 10
/** A third of them. */
const PLACES = 3
const USAGE = { usage: 'primary' } as const
const as: TenantRole = { role: 'counterfoil_app', customerId: 1, resellerId: 1 }
const ON_ANOTHER_WORKER: TenantRole = { ...as, customerId: 2 }
const ON_NO_WORKER: TenantRole = { ...as, customerId: 3 }

describe.skipIf(inject('testDatabase').kind !== 'postgres')('connections for usage of which one worker may keep a third', () => {
  let context: TestContext

  beforeAll(async () => {
    const workerOf = async (customerId: number): Promise<string> => (customerId < 3 ? `worker ${customerId}` : '')
    context = await testContext({}, { speaks: { isDistributed: true, maxPerPool: CONNECTIONS, workerOf } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await context.close()
  })

  const askNothing = (options = {}, role = as): Promise<unknown> => context.store.transact(role, (db) => sql`select`.execute(db), options)
  const hold = () => Promise.all(Array.from({ length: PLACES }, () => context.store.connect(as, USAGE)))

  test('one more waits until a place is left; what is not usage does not wait', async () => {
    const held = await hold()
    const waiting = askNothing(USAGE)
    await askNothing()
    expect(context.store.pools.usage.totalCount).toBe(PLACES)
    await askNothing(USAGE, ON_ANOTHER_WORKER)
    await askNothing(USAGE, ON_NO_WORKER)
    held[0]?.release()
    await waiting
    for (const client of held.slice(1)) client.release()
  })

  test('once those who hold the places have had no answer for six seconds, who waits is refused, and who comes is refused at once', async () => {
    const held = await hold()
    const waiting = expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    await vi.advanceTimersByTimeAsync(6_001)
    await waiting
    await expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    for (const client of held) client.release()
    await askNothing(USAGE)
  })

  test('who waits is not refused while places are left, and gets the one that was left first', async () => {
    const held = await hold()
    const waiting = Promise.all([askNothing(USAGE), context.store.connect(as, USAGE), context.store.connect(as, USAGE)])
    await vi.advanceTimersByTimeAsync(4_000)
    held[0]?.release()
    await vi.advanceTimersByTimeAsync(4_000)
    for (const client of held.slice(1)) client.release()
    const [, ...clients] = await waiting
    for (const client of clients) client.release()
    await hold().then((all) => all.forEach((client) => client.release()))
    expect(context.store.pools.usage.totalCount).toBeLessThanOrEqual(PLACES + 1)
  })

  test('a job waits ten seconds for one of five places, also of those whose readers left while the worker hangs', async () => {
    const options = { ...USAGE, pool: 'background' } as const
    const held = await Promise.all(Array.from({ length: 5 }, () => context.store.connect(as, options)))
    const waiting = expect(askNothing(options)).rejects.toThrow(UsageUnreachable)
    await vi.advanceTimersByTimeAsync(9_999)
    await askNothing(options, ON_ANOTHER_WORKER)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    for (const client of held) client.release()
    await askNothing(options)
  })

  test('more than thirty-two do not wait for one worker', async () => {
    const held = await hold()
    const waiting = Array.from({ length: 32 }, () => askNothing(USAGE))
    await expect(askNothing(USAGE)).rejects.toThrow(UsageBusy)
    for (const client of held) client.release()
    await Promise.all(waiting)
  })

  test('a statement without an answer two seconds after its limit is given up, and its place is left when PostgreSQL has ended it', async () => {
    const hanging = Array.from({ length: PLACES }, () =>
      expect(
        context.store.transact(
          as,
          async (db) => {
            await sql`set local statement_timeout = 0`.execute(db)
            await sql`set local client_connection_check_interval = 0`.execute(db) // as with a worker that hangs, it does not notice
            await sql`select pg_sleep(3600)`.execute(db)
          },
          USAGE,
        ),
      ).rejects.toThrow(UsageUnreachable),
    )
    const sleepers = `from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
    const { interactive } = context.store.pools
    const sleeping = async (): Promise<number | null> => (await interactive.query(`select ${sleepers}`)).rowCount
    while ((await sleeping()) !== PLACES);
    await vi.advanceTimersByTimeAsync(16_999)
    expect(await sleeping()).toBe(PLACES)
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(hanging)
    await expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    await vi.advanceTimersByTimeAsync(10_000)
    await expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    await interactive.query(`select pg_terminate_backend(pid) ${sleepers}`)
    while ((await sleeping()) !== 0);
    const isGivenBack = () =>
      askNothing(USAGE).then(
        () => true,
        () => false,
      )
    while (!(await isGivenBack())) await vi.advanceTimersByTimeAsync(2_000)
  })
})
