import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { addPerson } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage, runUsageInsert } from '../../../test/support/usage.ts'

/** Enough records to fill every buffer between the database and a client that has stopped reading; many share a millisecond. */
const RECORDS = 40_000

const filter = (endDate: string) => ({
  parameters: Object.entries({
    startDate: '2026-06-01 00:00:00',
    endDate,
    agreementId: '0',
    serviceId: '0',
    recordTypeId: '0',
    serviceItemId: '0',
  }).map(([name, value]) => ({ name, value })),
})
const ALL = filter('2026-12-31 23:59:59')
const FEW = filter('2026-07-31 23:59:59')

let context: TestContext
let app: FastifyInstance
let call: ReturnType<typeof clientFor>
let headers: Record<string, string>
let port: number
let seeded: Awaited<ReturnType<typeof addUsage>>

beforeAll(async () => {
  context = await testContext()
  seeded = await addUsage(context, 50)
  await runUsageInsert(
    context,
    seeded.resellerId,
    ['2026-08-01'],
    sql`insert into usage_record (reseller_id, customer_id, usage_at, service_id, record_type_id, units, price, service_item2, service_item3)
      select ${seeded.resellerId}, ${seeded.customerId}, timestamptz '2026-08-01' + n * interval '7 microseconds', ${seeded.kinds[0]?.service},
        ${seeded.kinds[0]?.type}, 1, 1, repeat('x', 250), repeat('y', 250) from generate_series(1, ${RECORDS}::int) n on conflict do nothing`,
  )
  app = await context.app()
  const session = await signInAs(app, seeded.person)
  call = clientFor(app, session, seeded.customerId)
  headers = {
    authorization: `Bearer ${session.accessToken}`,
    'x-customer-id': String(seeded.customerId),
    'content-type': 'application/json',
    host: 'localhost',
  }
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}, 120_000)
afterAll(() => context.close())

/** Starts the download on a separate socket. */
const startDownload = (as: Record<string, string> = headers, at = port): ClientRequest => {
  const download = request({ port: at, host: '127.0.0.1', method: 'POST', path: '/v1/ec/usage/download', headers: as, agent: false })
  download.on('error', () => undefined) // destroyed by the tests
  onTestFinished(() => void download.destroy())
  download.end(JSON.stringify(ALL))
  return download
}

/** A download whose first bytes have arrived and which is not read further. */
const startReadingDownload = async (as?: Record<string, string>, at?: number): Promise<ClientRequest> => {
  const download = startDownload(as, at)
  const [answer] = (await once(download, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  await once(answer, 'readable')
  expect(String(answer.read(20))).toContain('Service Item')
  return download
}

const MAX_STOP_MS = 2_000

const waitUntil = async (condition: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not come about within ${timeoutMs} ms`)
    await setTimeout(20) // PostgreSQL has no event for the end of another session's statement
  }
}

const expectCompleteDownload = async (): Promise<void> => {
  const answer = await call.post('/v1/ec/usage/download', ALL)
  expect([answer.statusCode, answer.headers['x-row-count']]).toEqual([200, String(RECORDS + 50)])
  expect(answer.body.trimEnd().split('\n')).toHaveLength(RECORDS + 51)
}

/** Waits until the aborted download no longer counts towards the limit. */
const waitForFreeSlot = async (): Promise<void> => {
  await waitUntil(async () => (await call.post('/v1/ec/usage/download', FEW)).statusCode === 200)
}

/** The headers of another user's download. */
const headersOf = async (person: { readonly username: string }, customerId: number): Promise<Record<string, string>> => ({
  ...headers,
  authorization: `Bearer ${(await signInAs(app, person)).accessToken}`,
  'x-customer-id': String(customerId),
})

test('[USG-07] whoever never reads holds the places of one customer and one reseller, and no other reseller waits for them', async () => {
  const colleague = await addPerson(context, seeded.resellerId, seeded.brandId, [seeded.customerId])
  const unread = [await startReadingDownload(), await startReadingDownload(await headersOf(colleague, seeded.customerId))]
  const third = await call.post('/v1/ec/usage/download', ALL)
  expect([third.statusCode, third.json().code]).toEqual([429, 'download_running'])
  const other = await addUsage(context, 10, 20)
  expect((await clientFor(app, await signInAs(app, other.person), other.customerId).post('/v1/ec/usage/download', ALL)).statusCode).toBe(
    200,
  )
  for (const download of unread) download.destroy()
  await waitForFreeSlot()
})

describe.skipIf(inject('testDatabase').kind !== 'postgres')('on PostgreSQL', () => {
  const countStatements = async (pattern: string): Promise<number> => {
    const { rows } = await context.store.pools.interactive.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike $1`,
      [pattern],
    )
    return rows[0]?.n ?? -1
  }
  const countCopies = () => countStatements('copy (%')

  test('[USG-07] a download that is broken off stops its query within two seconds', async () => {
    const download = await startReadingDownload()
    await waitUntil(async () => (await countCopies()) === 1)
    download.destroy()
    await waitUntil(async () => (await countCopies()) === 0, MAX_STOP_MS)
  })

  test('[USG-07] so does one that is aborted before its first byte, while its query runs', async () => {
    const other = await context.store.pools.background.connect()
    try {
      await other.query('begin; lock table usage_record in access exclusive mode')
      const download = startDownload()
      await waitUntil(async () => (await countCopies()) > 0)
      download.destroy()
      await once(download, 'close')
    } finally {
      await other.query('rollback')
      other.release()
    }
    await waitUntil(async () => (await countCopies()) === 0, MAX_STOP_MS)
    await waitForFreeSlot()
  })

  test('[USG-07] a download whose client stands still ends, and its query with it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }) // the server looks at its sockets every few seconds
    onTestFinished(() => void vi.useRealTimers())
    const watched = await context.app()
    const { port: at } = new URL(await watched.listen({ port: 0, host: '127.0.0.1' }))
    const download = await startReadingDownload(headers, Number(at))
    await vi.waitFor(async () => expect(await countCopies()).toBe(1), { timeout: 60_000 })
    await vi.waitFor(
      async () => {
        vi.advanceTimersByTime(60_000)
        expect(await countCopies()).toBe(0)
      },
      { timeout: 60_000 },
    )
    vi.useRealTimers()
    download.destroy()
    const free = await clientFor(watched, await signInAs(watched, seeded.person), seeded.customerId).post('/v1/ec/usage/download', FEW)
    expect(free.statusCode).toBe(200)
  })

  test('[USG-07] after five aborted downloads every connection of the pool is free', async () => {
    for (let at = 0; at < 5; at += 1) {
      const download = await startReadingDownload()
      download.destroy()
      await waitUntil(async () => (await countCopies()) === 0, MAX_STOP_MS)
    }
    const pool = context.store.pools.background
    await waitUntil(async () => pool.totalCount === pool.idleCount)
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    for (const client of clients) expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    for (const client of clients) client.release()
    await expectCompleteDownload()
  })
})

describe.skipIf(inject('testDatabase').kind !== 'embedded')('on the embedded database', () => {
  test('[USG-07] a download that is broken off reads no further slice', async () => {
    const pool = context.store.pools.background
    let acquired = 0
    const countAcquire = () => (acquired += 1)
    pool.on('acquire', countAcquire)
    const download = await startReadingDownload()
    download.destroy()
    await once(download, 'close')
    // These run after everything that already waits for the single session.
    for (let at = 0; at < 5; at += 1) await pool.query('select')
    const acquiredAtAbort = acquired
    for (let at = 0; at < 20; at += 1) await pool.query('select')
    expect(acquired).toBe(acquiredAtAbort + 20)
    expect(acquiredAtAbort - 5).toBeLessThan(RECORDS / 5_000)
    pool.off('acquire', countAcquire)
    await waitForFreeSlot()
  })

  test('[USG-07] after five aborted downloads the session is free', async () => {
    for (let at = 0; at < 5; at += 1) {
      const download = await startReadingDownload()
      download.destroy()
      await once(download, 'close')
      await waitForFreeSlot()
    }
    await expectCompleteDownload()
  })
})
