import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { type DailyJob, runDailyJob } from './run-daily-job.ts'
import { dailyJobs } from './daily-jobs.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(() => queryAsAdministrator(context, 'delete from daily_job'))

const HOUR = 3_600_000

/** Moves the clock to a time of the next day. */
const tomorrowAt = (time: string): void => {
  const midnight = new Date(context.clock().getTime() + 24 * HOUR).toISOString().slice(0, 10)
  context.advance(new Date(`${midnight}T${time}:00Z`).getTime() - context.clock().getTime())
}

const countingJob = (work: () => Promise<void> = async () => undefined): DailyJob & { runs: string[] } => {
  const runs: string[] = []
  const run = async (): Promise<void> => {
    runs.push(context.clock().toISOString())
    await work()
  }
  return { name: 'count', notBefore: '03:43', runs, run }
}

/** Several workers look for the job at the same instant. */
const runOnWorkers = (job: DailyJob, count = 5): Promise<boolean[]> =>
  Promise.all(Array.from({ length: count }, () => runDailyJob(context, job)))

const registerJob = async (job: DailyJob): Promise<void> => {
  tomorrowAt('12:00')
  expect((await runOnWorkers(job)).some(Boolean)).toBe(false)
}

test('[PAY-01] a daily job runs once a day, not before its time, however many workers look for it', async () => {
  const job = countingJob()
  await registerJob(job)
  for (let day = 1; day <= 3; day++) {
    tomorrowAt('03:42')
    expect(await runOnWorkers(job)).toEqual(Array(5).fill(false))
    context.advance(60_000)
    expect((await runOnWorkers(job)).filter(Boolean)).toHaveLength(1)
    expect(job.runs).toHaveLength(day)
    context.advance(HOUR)
    expect(await runOnWorkers(job)).toEqual(Array(5).fill(false))
  }
  expect(job.runs.map((at) => at.slice(11, 16))).toEqual(['03:43', '03:43', '03:43'])
})

test('[PAY-01] a server that was down at that time runs it once when it is back', async () => {
  const job = countingJob()
  await registerJob(job)
  tomorrowAt('19:00')
  await runOnWorkers(job)
  await runOnWorkers(job)
  expect(job.runs).toHaveLength(1)
})

test('[PAY-01] a job that fails is retried ten minutes later, and then not again on that day', async () => {
  let isBroken = true
  const job = countingJob(async () => {
    if (isBroken) throw new Error('the provider does not answer')
  })
  await registerJob(job)
  tomorrowAt('04:00')
  await runOnWorkers(job)
  expect(job.runs).toHaveLength(1)
  context.advance(9 * 60_000)
  await runOnWorkers(job)
  expect(job.runs).toHaveLength(1)
  isBroken = false
  context.advance(60_000)
  await runOnWorkers(job)
  await runOnWorkers(job)
  expect(job.runs).toHaveLength(2)
})

test('[PAY-01] while one worker runs a job the others leave it alone; the job of a dead worker is taken over after four hours', async () => {
  const { promise: endless } = Promise.withResolvers<void>()
  const dying = countingJob(() => endless)
  await registerJob(dying)
  tomorrowAt('03:43')
  const firstRun = runDailyJob(context, dying)
  await expect.poll(() => dying.runs.length).toBe(1)
  const job = countingJob()
  context.advance(4 * HOUR - 60_000)
  expect((await runOnWorkers(job)).some(Boolean)).toBe(false)
  context.advance(60_000)
  expect((await runOnWorkers(job)).filter(Boolean)).toHaveLength(1)
  expect(job.runs).toHaveLength(1)
  void firstRun
})

test('[PAY-01] the daily reconciliation is one of them', async () => {
  expect(dailyJobs({ ...context, onMailQueued: () => undefined }).map(({ name, notBefore }) => [name, notBefore])).toEqual([
    ['reconcile-payments', '03:43'],
  ])
})
