import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { markReady, storeChunk } from '../areas/reports/runs/report-file.queries.ts'
import { type ReportRun, startReport } from '../areas/reports/runs/report-run.queries.ts'
import { documentRenderer } from '../documents/renderer.ts'
import { addMs, systemClock } from '../kit/clock.ts'
import { rateLimitUse } from '../rate-limits/rate-limits.ts'
import { consumeRateLimits } from '../rate-limits/rate-limits.queries.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addCustomer, addTenant, addPerson, queryAsAdministrator } from '../../test/support/people.ts'
import { NOT_STOPPING } from '../../test/support/jobs.ts'
import { queueReports } from '../../test/support/reports.ts'
import { addUsage } from '../../test/support/usage.ts'
import { keyMark, storeKeyMark } from '../master-key/key-mark.ts'
import type { GenerateReportDeps } from './generate-report.ts'
import type { Job, JobSignals } from '../queue/job.ts'
import { startJobWorker } from '../queue/job-worker.ts'
import { reportJob } from './report-job.ts'
import { claimNextJob, type JobDeps, runJob } from '../queue/run-job.ts'

type Call = ReturnType<typeof clientFor>

const MASTER_KEY = 'ab'.repeat(32)

let context: TestContext
let app: FastifyInstance
beforeAll(async () => {
  context = await testContext({ MASTER_KEY })
  app = await context.app()
})
afterAll(() => context.close())
/** All tests share the queue, so each must leave it empty. */
afterEach(() => queryAsAdministrator(context, 'with reports as (delete from report_job) delete from job'))

const LEASE_MS = 30_000

/** A customer with some usage, and an HTTP client of its user. */
const addCustomerWithUsage = async (rows = 300) => {
  const known = await addUsage(context, rows)
  return { ...known, call: clientFor(app, await signInAs(app, known.person), known.customerId) }
}

const requestReport = async (call: Call): Promise<string> => {
  const answer = await call.post('/v1/ec/reports', { id: 2, parameters: [] })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ reportId: string }>().reportId
}
const statusOf = async (call: Call, id: string) =>
  (await call.get(`/v1/ec/reports/status/${id}`)).json<{ status: number; path: string | null }>()
const bodyOf = async (call: Call, id: string): Promise<string> =>
  (await call.get(`/v1/ec/reports/blob/${(await statusOf(call, id)).path}`)).body

type Deps = JobDeps & GenerateReportDeps

const tryClaim = (worker: string = randomUUID(), deps: Deps = context): Promise<Job | undefined> =>
  claimNextJob(deps, reportJob(deps), worker)
const claim = async (deps: Deps = context): Promise<Job> => {
  const job = await tryClaim(randomUUID(), deps)
  if (job === undefined) throw new Error('nothing waits')
  return job
}
const run = (job: Job, signals: JobSignals = NOT_STOPPING, deps: Deps = context): Promise<void> =>
  runJob(deps, reportJob(deps), job, signals)

const transactAsReseller = <T>({ resellerId }: ReportRun, work: Parameters<typeof context.store.transact<T>>[1]): Promise<T> =>
  context.store.transact({ role: 'counterfoil_reseller', resellerId }, work)

/** Claims a report, marks it as being generated, and gets no further. */
const startAndDie = async (): Promise<ReportRun> => {
  const { id, attempts } = await claim()
  const report = await context.store.transact({ role: 'counterfoil_system' }, (db) => startReport(db, id, attempts, context.clock()))
  if (report === undefined) throw new Error('there is no such report')
  return report
}

test('[RPT-05] a report whose worker dies halfway is completed by another once the lease has expired; the dead one can write nothing more', async () => {
  const { call } = await addCustomerWithUsage()
  const completeId = await requestReport(call)
  await run(await claim())
  const id = await requestReport(call)
  const dead = await startAndDie()
  await transactAsReseller(dead, (db) => storeChunk(db, dead, 0, Buffer.from('half a fi')))

  context.advance(LEASE_MS - 1)
  expect(await tryClaim()).toBeUndefined()
  expect(await statusOf(call, id)).toEqual({ status: 20, path: null })
  context.advance(1)
  const next = await startAndDie()
  expect([next.id, next.attempt]).toEqual([id, 2])
  await expect(transactAsReseller(dead, (db) => storeChunk(db, dead, 1, Buffer.from('le')))).rejects.toThrow('belongs to another worker')
  const file = { path: 'x'.repeat(43), fileName: 'x', contentType: 'x', sizeBytes: 9, expiresAt: addMs(context.clock(), 1_000) }
  await expect(transactAsReseller(dead, (db) => markReady(db, dead, file, context.clock()))).rejects.toThrow('belongs to another worker')
  context.advance(LEASE_MS)
  await run(await claim())
  const body = await bodyOf(call, id)
  expect(body).toBe(await bodyOf(call, completeId))
  expect(body.split('\n').length).toBeGreaterThan(20)
})

test('[RPT-05] a report that a stopping worker returns is claimed by the next one at once, and the try is not counted', async () => {
  const { call } = await addCustomerWithUsage()
  const id = await requestReport(call)
  await run(await claim(), { stopping: AbortSignal.abort(), aborted: AbortSignal.abort() })
  expect(await statusOf(call, id)).toEqual({ status: 10, path: null })
  const job = await claim()
  expect([job.id, job.attempts]).toEqual([id, 1])
})

test('[RPT-05] a report that was returned halfway is generated from the start', async () => {
  const { call } = await addCustomerWithUsage()
  const id = await requestReport(call)
  const shutdown = new AbortController()
  const transact: TestContext['store']['transact'] = async (as, work, options) => {
    const result = await context.store.transact(as, work, options)
    const [stored] = await queryAsAdministrator<{ n: number }>(context, 'select count(*)::int as n from report_chunk where job_id = $1', [
      id,
    ])
    if (stored?.n === 1) shutdown.abort()
    return result
  }
  await run(await claim(), { stopping: shutdown.signal, aborted: shutdown.signal }, { ...context, store: { ...context.store, transact } })
  expect(await statusOf(call, id)).toEqual({ status: 10, path: null })
  await run(await claim())
  expect((await bodyOf(call, id)).split('\n').length).toBeGreaterThan(20)
})

/** Milliseconds from now until a report is retried. */
const retryDelayOf = async (id: string): Promise<number> => {
  const rows = await queryAsAdministrator<{ due: Date }>(context, 'select run_at as due from job where id = $1', [id])
  return (rows[0]?.due.getTime() ?? 0) - context.clock().getTime()
}

test('[RPT-03][RPT-05] a report that cannot be generated is tried three times with growing delays and then fails; the reason is only in the log', async () => {
  const { call } = await addCustomerWithUsage()
  const logged: object[] = []
  const parameters = [
    { name: 'StartDate', value: '10.01.2026 00:00:00' },
    { name: 'EndDate', value: '10.31.2026 23:59:59' },
  ]
  const id = (await call.post('/v1/ec/reports', { id: 5, parameters })).json<{ reportId: string }>().reportId
  const renderer = documentRenderer()
  await renderer.close() // so that this PDF report cannot be rendered
  const log = {
    ...context.log,
    error: (what: object) => logged.push(what),
    warn: (what: object) => logged.push(what),
    info: () => undefined,
  } as never
  const retryDelays: number[] = []
  for (let tries = 1; tries <= 3; tries += 1) {
    const job = await claim()
    expect(job.attempts).toBe(tries)
    await run(job, NOT_STOPPING, { ...context, renderer, log })
    expect((await statusOf(call, id)).status).toBe(tries < 3 ? 10 : 40)
    expect(await tryClaim()).toBeUndefined()
    if (tries === 3) break
    retryDelays.push(await retryDelayOf(id))
    context.advance(retryDelays.at(-1) ?? 0)
  }
  expect(retryDelays).toEqual([2_000, 4_000])
  expect(await statusOf(call, id)).toEqual({ status: 40, path: null })
  expect(logged).toMatchObject([{ attempts: 1 }, { attempts: 2 }, { attempts: 3, jobId: id, err: { name: 'RendererClosed' } }])
})

test('[RPT-05] a report that kills its worker every time fails after the third try', async () => {
  const { call } = await addCustomerWithUsage()
  const id = await requestReport(call)
  for (let tries = 1; tries <= 3; tries += 1) {
    expect((await startAndDie()).attempt).toBe(tries)
    context.advance(LEASE_MS)
  }
  await run(await claim())
  expect((await statusOf(call, id)).status).toBe(40)
})

test('[RPT-05] at most two reports of a customer run at once, however many workers there are; another customer does not wait for them', async () => {
  const busy = await addCustomerWithUsage()
  const quiet = await addCustomerWithUsage()
  for (let at = 0; at < 5; at += 1) await requestReport(busy.call)
  const quietReport = await requestReport(quiet.call)
  for (let round = 1; round <= 10; round += 1) {
    const jobs = await Promise.all(Array.from({ length: 6 }, () => tryClaim()))
    const customers = jobs.flatMap((job) => (job === undefined ? [] : [Number(job.key)]))
    expect(customers.toSorted()).toEqual([busy.customerId, busy.customerId, quiet.customerId].toSorted())
    expect(jobs.find((job) => job?.key === String(quiet.customerId))?.id).toBe(quietReport)
    await queryAsAdministrator(context, 'update job set worker = null, started_at = null, run_at = created_at')
  }
})

test('[RPT-05] with a thousand queued reports of one customer, another customer still gets every second turn', async () => {
  const { resellerId, brandId } = await addTenant(context)
  const [greedy, modest] = [await addCustomer(context, resellerId, brandId), await addCustomer(context, resellerId, brandId)]
  await queueReports(context, { resellerId, brandId, customerId: greedy, count: 1_000 })
  context.advance(60_000)
  await queueReports(context, { resellerId, brandId, customerId: modest, count: 5 })
  const served: number[] = []
  for (let at = 0; at < 10; at += 1) {
    context.advance(1_000)
    const job = await claim()
    served.push(Number(job.key))
    await run(job)
  }
  expect(served.filter((id) => id === modest)).toHaveLength(5)
  expect(new Set(served.slice(0, 2))).toEqual(new Set([greedy, modest]))
})

test('[RPT-05] sixty reports of four customers on three workers all become ready, at most two of a customer at once, and few do not wait for many', async () => {
  const { resellerId, brandId } = await addTenant(context)
  const waiting = new Map<number, number>()
  for (const count of [44, 8, 5, 3]) waiting.set(await addCustomer(context, resellerId, brandId), count)
  for (const [customerId, count] of waiting) {
    await queueReports(context, { resellerId, brandId, customerId, count })
    context.advance(1_000)
  }
  const workers = [randomUUID(), randomUUID(), randomUUID()]
  const [greedy = 0] = waiting.keys()
  const running: Job[] = []
  const order: number[] = []
  const finished = async (job: Job | undefined): Promise<void> => {
    if (job === undefined) return
    await run(job)
    order.push(Number(job.key))
  }
  for (let turn = 0; order.length < 60; turn += 1) {
    expect(turn).toBeLessThan(200)
    context.advance(1_000)
    const job = await tryClaim(workers[turn % 3])
    if (job !== undefined) running.push(job)
    for (const customerId of waiting.keys()) expect(running.filter(({ key }) => key === String(customerId)).length).toBeLessThanOrEqual(2)
    if (job === undefined || running.length === 6) await finished(running.shift())
  }
  for (const [customerId, count] of waiting) expect(order.filter((one) => one === customerId)).toHaveLength(count)
  // A customer with few reports is done within four times its turns plus those running, long before the customer with many.
  for (const [customerId, count] of waiting) if (customerId !== greedy) expect(order.lastIndexOf(customerId)).toBeLessThan(count * 4 + 6)
  const left = await queryAsAdministrator(context, 'select distinct status from report_job')
  expect(left).toEqual([{ status: 30 }])
})

test('a user may request 200 reports a day; the next is rejected with a message', async () => {
  const tenant = await addTenant(context)
  const call = clientFor(app, await signInAs(app, tenant.person), tenant.customerId)
  const { keys, config } = context
  await context.store.transact({ role: 'counterfoil_system' }, async (db) => {
    for (let at = 0; at < 197; at += 1)
      await consumeRateLimits(db, [rateLimitUse(keys, config.limits, 'report', tenant.person.id)], context.clock())
  })
  for (let at = 197; at < 200; at += 1) await requestReport(call)
  const rejected = await call.post('/v1/ec/reports', { id: 2, parameters: [] })
  expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { message: expect.stringContaining('Please try again in 8 minutes') }])
  const colleague = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  await requestReport(clientFor(app, await signInAs(app, colleague), tenant.customerId))
})

test('[RPT-05] a report starts at once when the worker runs in the same process, and none is lost when the worker stops', async () => {
  const worker = startJobWorker(context, [reportJob(context)])
  onTestFinished(() => worker.stop())
  const appWithWorker = await context.app({ onReportQueued: worker.wake })
  const { person, customerId } = await addUsage(context, 300, 3)
  const call = clientFor(appWithWorker, await signInAs(appWithWorker, person), customerId)
  const [first] = await Promise.all([requestReport(call), requestReport(call), requestReport(call)])
  await expect.poll(async () => (await statusOf(call, first)).status, { timeout: 1_900, interval: 20 }).toBe(30)
  await worker.stop()
  const rows = await queryAsAdministrator<{ status: number }>(context, 'select distinct status from report_job')
  expect(rows.every(({ status }) => status === 10 || status === 30)).toBe(true)
})

const isPostgres = () => inject('testDatabase').kind === 'postgres'

test.runIf(isPostgres())('[RPT-05] after kill -9 of a worker in the middle of a report, another process completes it', async () => {
  const { call } = await addCustomerWithUsage()
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-worker-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const testDatabase = inject('testDatabase')
  if (testDatabase.kind !== 'postgres') return
  const [database] = await queryAsAdministrator<{ name: string }>(context, 'select current_database()::text as name')
  const urlOf = (url: string): string => Object.assign(new URL(url), { pathname: `/${database?.name}` }).href
  // As a program that fills a database does: without the mark nothing tells which key it belongs to.
  await context.store.transact({ role: 'counterfoil_system' }, (db) => storeKeyMark(db, keyMark(context.keys)))
  // A lock on this table makes the worker wait in the middle of its report.
  const lockHolder = new pg.Client({ connectionString: urlOf(testDatabase.adminUrl) })
  await lockHolder.connect()
  await lockHolder.query('begin; lock table usage_day in access exclusive mode')

  const id = await requestReport(call)
  await queryAsAdministrator(context, `update report_job set requested_at = now(), expires_at = now() + interval '1 day'`)
  await queryAsAdministrator(context, 'update job set created_at = now(), run_at = now(), give_up_at = null')
  const worker = spawn(process.execPath, [fileURLToPath(new URL('../../bin/counterfoil.js', import.meta.url)), 'worker'], {
    env: {
      ...process.env,
      DATABASE_URL: urlOf(testDatabase.ownerUrl),
      DATA_DIR: dataDir,
      MASTER_KEY,
      LOG_LEVEL: 'warn',
      MAIL_URL: 'smtp://127.0.0.1:9',
    },
    stdio: 'ignore',
  })
  await expect.poll(async () => (await statusOf(call, id)).status, { timeout: 20_000, interval: 20 }).toBe(20)
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
  await lockHolder.end()
  expect((await statusOf(call, id)).status).toBe(20)

  expect(await tryClaim(randomUUID(), { ...context, clock: systemClock })).toBeUndefined()
  const later = { ...context, clock: () => addMs(systemClock(), LEASE_MS) }
  const job = await claim(later)
  expect([job.id, job.attempts]).toEqual([id, 2])
  await run(job, NOT_STOPPING, later)
  expect((await statusOf(call, id)).status).toBe(30)
})
