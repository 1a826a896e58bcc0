import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runDueJobs } from '../../test/support/jobs.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addScheduledJob } from '../queue/job.queries.ts'
import { type JobKind, nextRunAt } from '../queue/job.ts'
import { recurringJobs } from './recurring-jobs.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(() => queryAsAdministrator(context, 'delete from job'))

const HOUR = 3_600_000

const kinds = () => recurringJobs({ ...context, onMailQueued: () => undefined })

/** Moves the clock to a time of the next day. */
const tomorrowAt = (time: string): void => {
  const midnight = new Date(context.clock().getTime() + 24 * HOUR).toISOString().slice(0, 10)
  context.advance(new Date(`${midnight}T${time}:00Z`).getTime() - context.clock().getTime())
}

/** The daily job, with work that is counted. */
const countingJob = (work: () => Promise<void> = async () => undefined) => {
  const runs: string[] = []
  const run = async (): Promise<void> => {
    runs.push(context.clock().toISOString())
    await work()
  }
  const daily = kinds().find(({ name }) => name === 'reconcile-payments')
  if (daily === undefined) throw new Error('there is no daily job')
  return { ...daily, runs, run }
}

/** Several workers look for the job at the same instant. Returns how many ran it. */
const runOnWorkers = async (kind: JobKind, count = 5): Promise<number> =>
  (await Promise.all(Array.from({ length: count }, () => runDueJobs(context, kind)))).flat().length

const register = async ({ name, schedule }: JobKind): Promise<void> => {
  tomorrowAt('12:00')
  if (schedule === undefined) throw new Error('it has no schedule')
  const [now, runAt] = [context.clock(), nextRunAt(schedule, context.clock())]
  for (let worker = 0; worker < 3; worker += 1)
    await context.store.transact({ role: 'counterfoil_system' }, (db) => addScheduledJob(db, name, runAt, now))
}

test('[PAY-01] a daily job runs once a day, not before its time, however many workers look for it', async () => {
  const job = countingJob()
  await register(job)
  expect(await runOnWorkers(job)).toBe(0)
  for (let day = 1; day <= 3; day++) {
    tomorrowAt('03:42')
    expect(await runOnWorkers(job)).toBe(0)
    context.advance(60_000)
    expect(await runOnWorkers(job)).toBe(1)
    context.advance(HOUR)
    expect(await runOnWorkers(job)).toBe(0)
  }
  expect(job.runs.map((at) => at.slice(11, 16))).toEqual(['03:43', '03:43', '03:43'])
})

test('[PAY-01] a server that was down at that time runs it once when it is back', async () => {
  const job = countingJob()
  await register(job)
  tomorrowAt('19:00')
  tomorrowAt('19:00')
  expect(await runOnWorkers(job)).toBe(1)
  expect(await runOnWorkers(job)).toBe(0)
  tomorrowAt('03:43')
  expect(await runOnWorkers(job)).toBe(1)
})

test('[PAY-01] a job that fails is retried ten minutes later, and then not again on that day', async () => {
  let isBroken = true
  const job = countingJob(async () => {
    if (isBroken) throw new Error('the provider does not answer')
  })
  await register(job)
  tomorrowAt('04:00')
  for (let failures = 1; failures <= 4; failures += 1) {
    await runOnWorkers(job)
    expect(job.runs).toHaveLength(failures)
    context.advance(9 * 60_000)
    expect(await runOnWorkers(job)).toBe(0)
    context.advance(60_000)
  }
  isBroken = false
  expect(await runOnWorkers(job)).toBe(1)
  context.advance(HOUR)
  expect(await runOnWorkers(job)).toBe(0)
})

test('[PAY-01] while one worker runs a job the others leave it alone; the job of a dead worker is taken over after five minutes', async () => {
  const { promise: endless } = Promise.withResolvers<void>()
  const dying = countingJob(() => endless)
  await register(dying)
  tomorrowAt('03:43')
  void runDueJobs(context, dying)
  await expect.poll(() => dying.runs.length).toBe(1)
  const job = countingJob()
  context.advance(5 * 60_000 - 1)
  expect(await runOnWorkers(job)).toBe(0)
  context.advance(1)
  expect(await runOnWorkers(job)).toBe(1)
  expect(job.runs).toHaveLength(1)
})

test('[PAY-01] reconciliation runs daily at 03:43, what has expired is deleted every hour, usage is merged every minute, and payments are swept every five seconds', () => {
  const noon = new Date('2026-11-20T12:00:00Z')
  const next = kinds().map(({ name, schedule }) => [name, schedule && nextRunAt(schedule, noon).toISOString()])
  expect(next).toEqual([
    ['payment-sweep', '2026-11-20T12:00:05.000Z'],
    ['reconcile-payments', '2026-11-21T03:43:00.000Z'],
    ['merge-usage', '2026-11-20T12:01:00.000Z'],
    ['clean-up', '2026-11-20T12:17:00.000Z'],
  ])
})

test('the hourly clean-up deletes jobs that finished a week ago', async () => {
  const cleanUp = kinds().filter(({ name }) => name === 'clean-up')
  for (const kind of cleanUp) await register(kind)
  await queryAsAdministrator(
    context,
    `insert into job (id, kind, created_at, run_at, finished_at) select gen_random_uuid(), 'mail', $1, $1, $1::timestamptz - n * interval '1 day'
      from generate_series(0, 7) n`,
    [context.clock()],
  )
  tomorrowAt('12:17')
  await runDueJobs(context, ...cleanUp)
  const left = await queryAsAdministrator(context, `select from job where kind = 'mail'`)
  expect(left).toHaveLength(6)
})
