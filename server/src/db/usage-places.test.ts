import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import type { TenantRole } from './database.ts'
import { UsageUnreachable } from './lost-connection.ts'

const CONNECTIONS = 10
/** A third of them. */
const PLACES = 3
const USAGE = { usage: 'primary' } as const

describe.skipIf(inject('testDatabase').kind !== 'postgres')('connections for usage of which one worker may keep a third', () => {
  let context: TestContext
  let as: TenantRole

  beforeAll(async () => {
    context = await testContext({}, { speaks: { isDistributed: true, maxPerPool: CONNECTIONS } })
    as = { role: 'counterfoil_app', customerId: 1, resellerId: 1 }
  })
  afterEach(() => vi.useRealTimers())
  afterAll(() => context.close())

  const askNothing = (options = {}): Promise<unknown> => context.store.transact(as, (db) => sql`select`.execute(db), options)
  const hold = () => Promise.all(Array.from({ length: PLACES }, () => context.store.connect(as, USAGE)))

  test('one more waits until a place is left; what is not usage does not wait', async () => {
    const held = await hold()
    const waiting = askNothing(USAGE)
    await askNothing()
    expect(context.store.pools.usage.totalCount).toBe(PLACES)
    held[0]?.release()
    await waiting
    for (const client of held.slice(1)) client.release()
  })

  test('once those who hold the places have had no answer for three seconds, who waits is refused, and who comes is refused at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const held = await hold()
    const waiting = expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    await vi.advanceTimersByTimeAsync(3_001)
    await waiting
    await expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    vi.useRealTimers()
    for (const client of held) client.release()
    await askNothing(USAGE)
  })

  test('more than sixteen do not wait for one worker', async () => {
    const held = await hold()
    const waiting = Array.from({ length: 16 }, () => askNothing(USAGE))
    await expect(askNothing(USAGE)).rejects.toThrow(UsageUnreachable)
    for (const client of held) client.release()
    await Promise.all(waiting)
  })

  test('a statement without an answer two seconds after its limit is given up, and its place is left when PostgreSQL has ended it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const hanging = Array.from({ length: PLACES }, () =>
      expect(
        context.store.transact(
          as,
          async (db) => {
            await sql`set local statement_timeout = 0`.execute(db)
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
