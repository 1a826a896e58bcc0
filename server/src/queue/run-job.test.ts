import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NOT_STOPPING, runDueJobs } from '../../test/support/jobs.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { countDueJobs, enqueueJob, type NewJob } from './job.queries.ts'
import { type Job, JobFailure, type JobKind } from './job.ts'
import { startJobWorker } from './job-worker.ts'
import { claimNextJob, runJob, transactAsSystem } from './run-job.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(() => queryAsAdministrator(context, 'delete from job'))

const kindOf = (run: JobKind['run'], more: Partial<JobKind> = {}): JobKind => ({
  name: 'mail',
  concurrency: 2,
  leaseMs: 60_000,
  retry: { firstMs: 1_000, maxMs: 4_000 },
  run,
  ...more,
})

const queue = (job: Partial<NewJob> = {}): Promise<void> =>
  transactAsSystem(context, (db) => enqueueJob(db, { kind: 'mail', ...job }, context.clock()))

const jobRows = () =>
  queryAsAdministrator<{ attempts: number; error: string | null; over: boolean; worker: string | null }>(
    context,
    'select attempts, last_error as error, finished_at is not null as over, worker from job order by created_at, id',
  )

const claim = async (kind: JobKind): Promise<Job> => {
  const job = await claimNextJob(context, kind, randomUUID())
  if (job === undefined) throw new Error('nothing waits')
  return job
}

test('a job is queued with the transaction that asks for it, or not at all', async () => {
  const failing = transactAsSystem(context, async (db) => {
    await enqueueJob(db, { kind: 'mail' }, context.clock())
    throw new Error('the caller changed its mind')
  })
  await expect(failing).rejects.toThrow()
  expect(await jobRows()).toEqual([])
})

test('forty jobs and four workers at once: each job runs once, and none twice at the same time', async () => {
  for (let at = 0; at < 40; at += 1) await queue()
  const ran: string[] = []
  const kind = kindOf(async ({ id }) => void ran.push(id))
  await Promise.all(Array.from({ length: 4 }, () => runDueJobs(context, kind)))
  expect(new Set(ran).size).toBe(40)
  expect(ran).toHaveLength(40)
})

test('the job of a worker that died is claimed by another once its lease has expired, and what the dead one says later is ignored', async () => {
  await queue()
  const kind = kindOf(async () => undefined)
  const dead = await claim(kind)
  context.advance(59_999)
  expect(await claimNextJob(context, kind, randomUUID())).toBeUndefined()
  context.advance(1)
  const next = await claim(kind)
  expect([next.id, next.attempts]).toEqual([dead.id, 2])
  await runJob(context, kind, dead, NOT_STOPPING)
  expect(await jobRows()).toMatchObject([{ over: false, worker: next.worker }])
  await runJob(context, kind, next, NOT_STOPPING)
  expect(await jobRows()).toMatchObject([{ over: true }])
})

test('a long job keeps its lease; one that has lost it is told to stop', async () => {
  await queue()
  const ended = Promise.withResolvers<void>()
  const kind = kindOf((_job, { aborted }) => new Promise((_, reject) => aborted.addEventListener('abort', () => reject(aborted.reason))), {
    leaseMs: 300,
  })
  const job = await claim(kind)
  const run = runJob(context, kind, job, NOT_STOPPING).then(ended.resolve)
  context.advance(250)
  await expect
    .poll(async () => {
      const [row] = await queryAsAdministrator<{ run_at: Date }>(context, 'select run_at from job')
      return (row?.run_at.getTime() ?? 0) - context.clock().getTime()
    })
    .toBe(300)
  await queryAsAdministrator(context, 'update job set worker = $1', [randomUUID()])
  await ended.promise
  await run
  expect(await jobRows()).toMatchObject([{ over: false, attempts: 1 }])
})

test('a failing job is retried with growing delays up to a limit, and given up when no retry is left', async () => {
  const delays: number[] = []
  const outcomes: boolean[] = []
  const kind = kindOf(() => Promise.reject(new JobFailure('not yet')), {
    retry: { firstMs: 1_000, maxMs: 4_000, maxAttempts: 5 },
    onFailure: async (_db, _job, isOver) => void outcomes.push(isOver),
  })
  await queue()
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await runJob(context, kind, await claim(kind), NOT_STOPPING)
    const [row] = await queryAsAdministrator<{ run_at: Date }>(context, 'select run_at from job')
    const delay = (row?.run_at.getTime() ?? 0) - context.clock().getTime()
    if (attempt < 5) delays.push(delay)
    context.advance(delay)
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 4_000])
  expect(outcomes).toEqual([false, false, false, false, true])
  expect(await jobRows()).toEqual([{ attempts: 5, error: 'not yet', over: true, worker: null }])
})

test('what a permanent failure or a passed time limit ends is not retried', async () => {
  await queue()
  const permanent = kindOf(() => Promise.reject(new JobFailure('never', { isPermanent: true })))
  await runJob(context, permanent, await claim(permanent), NOT_STOPPING)
  await queue({ giveUpAt: new Date(context.clock().getTime() + 999) })
  const late = kindOf(() => Promise.reject(new JobFailure('too late')))
  await runJob(context, late, await claim(late), NOT_STOPPING)
  expect((await jobRows()).map(({ error, over }) => [error, over]).toSorted()).toEqual([
    ['never', true],
    ['too late', true],
  ])
})

test('of an unforeseen error the queue keeps the name alone, because its message may name a person', async () => {
  await queue()
  const kind = kindOf(() => Promise.reject(new TypeError('zoe@customer.net is no number')))
  await runJob(context, kind, await claim(kind), NOT_STOPPING)
  expect(await jobRows()).toMatchObject([{ error: 'TypeError', over: false }])
})

test('a worker runs no more jobs of a kind at once than it may, and jobs of another kind beside them', async () => {
  for (let at = 0; at < 6; at += 1) await queue()
  await queue({ kind: 'reset-request' })
  const [running, release] = [new Set<string>(), Promise.withResolvers<void>()]
  const hold: JobKind['run'] = async ({ id }) => {
    running.add(id)
    await release.promise
  }
  const reported = Promise.withResolvers<void>()
  const report = kindOf(async () => reported.resolve(), { name: 'report', concurrency: 1 })
  const worker = startJobWorker(context, [kindOf(hold), kindOf(hold, { name: 'reset-request', concurrency: 1 }), report])
  onTestFinished(() => worker.stop())
  await expect.poll(() => running.size).toBe(3)
  await queue({ kind: 'report', key: '7' })
  worker.wake()
  await reported.promise // the same look at the queue would have begun a third mail before it
  expect(running.size).toBe(3)
  release.resolve()
  await expect.poll(() => running.size).toBe(7)
})

test('a worker that stops finishes what it runs and begins nothing more', async () => {
  for (let at = 0; at < 3; at += 1) await queue()
  const started: AbortSignal[] = []
  const release = Promise.withResolvers<void>()
  const kind = kindOf(
    async (_job, { stopping }) => {
      started.push(stopping)
      await release.promise
    },
    { concurrency: 1 },
  )
  const worker = startJobWorker(context, [kind])
  await expect.poll(() => started.length).toBe(1)
  const stopped = worker.stop()
  expect(started[0]?.aborted).toBe(true)
  release.resolve()
  await stopped
  expect((await jobRows()).map(({ over }) => over).toSorted()).toEqual([false, false, true])
})

test('an idle worker asks the database two seconds after it last asked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const transactions: Promise<unknown>[] = []
  const transact: TestContext['store']['transact'] = (as, work, options) => {
    const transaction = context.store.transact(as, work, options)
    transactions.push(transaction)
    return transaction
  }
  let elapsedMs = 0
  const advanceUntilAsked = async (count: number): Promise<number> => {
    for (; transactions.length < count; elapsedMs += 10) {
      await vi.advanceTimersByTimeAsync(10)
      await transactions.at(-1)
      await setImmediate()
    }
    return elapsedMs
  }
  const worker = startJobWorker({ ...context, store: { ...context.store, transact } }, [kindOf(async () => undefined)])
  onTestFinished(() => worker.stop())
  const startedAt = await advanceUntilAsked(2) // what is scheduled, and what is due
  expect((await advanceUntilAsked(4)) - startedAt).toBeGreaterThanOrEqual(4_000)
})

test("a customer queues its own reports and nothing else, and sees no job; a reseller's transaction queues mail", async () => {
  const app = { role: 'counterfoil_app', customerId: 7, resellerId: 1 } as const
  const queueAs = (as: Parameters<TestContext['store']['transact']>[0], job: NewJob) =>
    context.store.transact(as, (db) => enqueueJob(db, job, context.clock()))
  await queueAs(app, { kind: 'report', key: '7' })
  await queueAs({ role: 'counterfoil_reseller', resellerId: 1 }, { kind: 'mail' })
  for (const [as, job] of [
    [app, { kind: 'report', key: '8' }],
    [app, { kind: 'mail' }],
    [
      { role: 'counterfoil_reseller', resellerId: 1 },
      { kind: 'report', key: '7' },
    ],
  ] as const)
    await expect(queueAs(as, job)).rejects.toMatchObject({ code: '42501' })
  await expect(context.store.transact(app, (db) => countDueJobs(db, context.clock()))).rejects.toMatchObject({ code: '42501' })
})
