import { randomUUID } from 'node:crypto'
import { MAX_REPORT_RUNS, type ReportRun } from '@counterfoil/contract/reports'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reportJob } from '../../../jobs/report-job.ts'
import { clientFor, signInAs, type Answer } from '../../../../test/support/http-client.ts'
import { runDueJobs } from '../../../../test/support/jobs.ts'
import {
  addCustomer,
  addInvoice,
  addPerson,
  addTenant,
  changeBrand,
  insertRow,
  queryAsAdministrator,
  type TestPerson,
} from '../../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../../test/support/test-app.ts'
import { sweepReports } from './report-run.queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STATEMENT = 5
/** The stored parameters of a report of everything. */
const ALL = '{"days":null,"serviceId":null,"invoiceId":null}'
const NOVEMBER = [
  { name: 'StartDate', value: '11.01.2026 00:00:00' },
  { name: 'EndDate', value: '11.20.2026 23:59:59' },
]

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let person: TestPerson
let client: ReturnType<typeof clientFor>

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
})
afterAll(() => context.close())
beforeEach(async () => {
  tenant = await addTenant(context)
  person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { display_name: 'Mara Holt' })
  client = clientFor(app, await signInAs(app, person), tenant.customerId)
})

const post = (id: number, parameters: object[], more: object = {}): Promise<Answer> =>
  client.post('/v1/ec/reports', { id, parameters, ...more })
const listRuns = async (from = client): Promise<ReportRun[]> => (await from.get('/v1/ec/reports/runs')).json<ReportRun[]>()
const generateAll = () => runDueJobs(context, reportJob(context))

test('[EASE-09] a report is listed with who asked for it and when, is ready by itself, and says until when its file is there', async () => {
  const requestedAt = context.clock().toISOString()
  const { reportId } = (await post(STATEMENT, NOVEMBER, { timeframe: 'This Month' })).json()
  const waiting = {
    id: reportId,
    reportId: STATEMENT,
    name: 'Account Statement',
    timeframe: 'This Month',
    from: '2026-11-01',
    to: '2026-11-20',
    service: null,
    invoice: null,
    parameters: NOVEMBER,
    requestedAt,
    requestedBy: 'Mara Holt',
    bySupport: false,
    status: 10,
    reason: null,
    expiresAt: null,
    expired: false,
    path: null,
    fileName: null,
    sizeBytes: null,
    offered: true,
  }
  expect(await listRuns()).toEqual([waiting])
  await generateAll()
  const [run] = await listRuns()
  const file = await client.get(`/v1/ec/reports/blob/${run?.path}`)
  expect(run).toEqual({
    ...waiting,
    status: 30,
    path: expect.stringMatching(/^[\w-]{43}$/),
    fileName: 'Account_Statement_2026-11-01_2026-11-20.pdf',
    sizeBytes: file.rawPayload.length,
    expiresAt: new Date(context.clock().getTime() + DAY_MS).toISOString(),
  })
})

test('[EASE-09] what the list answers makes the same report again; its service and its invoice are named', async () => {
  const { resellerId, customerId } = tenant
  const service = await insertRow(context, resellerId, 'service', { reseller_id: resellerId, name: '4G Data' })
  await insertRow(context, resellerId, 'service_item', { customer_id: customerId, service_id: service, service_item: '0491' })
  const invoice = await addInvoice(context, resellerId, customerId, { number: 'INV-7' })
  await post(3, [{ name: 'ServiceId', value: String(service) }])
  context.advance(1_000)
  await post(4, [{ name: 'InvoiceId', value: String(invoice) }])
  const runs = await listRuns()
  expect(runs.map(({ name, service: serviceName, invoice: number, from }) => [name, serviceName, number, from])).toEqual([
    ['Invoice Detail', null, 'INV-7', null],
    ['Usage by Cost Centre', '4G Data', null, null],
  ])
  context.advance(1_000)
  for (const { reportId, parameters } of runs) expect((await post(reportId, parameters)).statusCode).toBe(200)
  const all = await listRuns()
  expect(all).toHaveLength(4)
  expect(all.map(({ parameters }) => JSON.stringify(parameters)).toSorted()).toEqual(
    [...runs, ...runs].map(({ parameters }) => JSON.stringify(parameters)).toSorted(),
  )
})

test('[EASE-09] everybody who acts for the customer sees its reports, nobody else does, and none are seen where the section is closed', async () => {
  const { resellerId, brandId, customerId } = tenant
  await post(STATEMENT, NOVEMBER)
  const clientOf = async (customer: number, sees: number[]) =>
    clientFor(app, await signInAs(app, await addPerson(context, resellerId, brandId, sees)), customer)
  const neighbour = await addCustomer(context, resellerId, brandId)
  expect((await listRuns(await clientOf(customerId, [customerId]))).map(({ requestedBy }) => requestedBy)).toEqual(['Mara Holt'])
  expect(await listRuns(await clientOf(neighbour, [neighbour]))).toEqual([])
  const rival = await addTenant(context)
  expect(await listRuns(clientFor(app, await signInAs(app, rival.person), rival.customerId))).toEqual([])
  await changeBrand(context, resellerId, brandId, { end_show_reports: false })
  context.advance(1_000)
  expect((await client.get('/v1/ec/reports/runs')).statusCode).toBe(404)
})

test('[EASE-09] an expired file says so for 30 days and can be made again; what waited until then says that it failed', async () => {
  await post(STATEMENT, NOVEMBER)
  await generateAll()
  const [ready] = await listRuns()
  context.advance(1_000)
  await post(1, [])
  context.advance(DAY_MS)
  await context.store.transact({ role: 'counterfoil_system' }, (db) => sweepReports(db, context.clock()))
  client = clientFor(app, await signInAs(app, person), tenant.customerId)
  const facts = (await listRuns()).map(({ name, status, expired, path, reason, offered }) => ({
    name,
    status,
    expired,
    path,
    reason,
    offered,
  }))
  expect(facts).toEqual([
    { name: 'Invoice Register', status: 40, expired: false, path: null, reason: 'It could not be made in time.', offered: true },
    { name: 'Account Statement', status: 30, expired: true, path: null, reason: null, offered: true },
  ])
  expect((await client.get(`/v1/ec/reports/blob/${ready?.path}`)).statusCode).toBe(404)
  context.advance(31 * DAY_MS)
  await context.store.transact({ role: 'counterfoil_system' }, (db) => sweepReports(db, context.clock()))
  client = clientFor(app, await signInAs(app, person), tenant.customerId)
  expect(await listRuns()).toEqual([])
})

test('[EASE-09] a failed report says why in a sentence', async () => {
  const { resellerId, brandId, customerId } = tenant
  const invoice = await addInvoice(context, resellerId, customerId, { number: 'GONE' })
  await post(4, [{ name: 'InvoiceId', value: String(invoice) }])
  await queryAsAdministrator(context, 'delete from invoice where id = $1', [invoice])
  await generateAll()
  const now = context.clock()
  const failed = { customer_id: customerId, reseller_id: resellerId, brand_id: brandId, report_id: 2, parameters: ALL, status: 40 }
  for (const failure of ['too_large', null] as const) {
    context.advance(1_000)
    const times = { requested_at: context.clock(), expires_at: new Date(now.getTime() + DAY_MS) }
    await insertRow(context, resellerId, 'report_job', { ...failed, ...times, id: randomUUID(), failure })
  }
  expect((await listRuns()).map(({ status, reason, requestedBy }) => [status, reason, requestedBy])).toEqual([
    [40, 'Something went wrong on our side.', null],
    [40, 'It is too large for one file. Choose fewer days or a single service.', null],
    [40, 'What it is about does not exist any more.', 'Mara Holt'],
  ])
})

test('[EASE-09] the list holds the last 25, and a report that is offered no more cannot be made again', async () => {
  const { resellerId, brandId, customerId } = tenant
  const own = { customer_id: customerId, reseller_id: resellerId, brand_id: brandId, parameters: ALL }
  const start = context.clock().getTime()
  for (let n = 0; n <= MAX_REPORT_RUNS; n += 1) {
    const times = { requested_at: new Date(start + n * 1_000), expires_at: new Date(start + DAY_MS) }
    await insertRow(context, resellerId, 'report_job', { ...own, ...times, id: randomUUID(), report_id: 1 + (n % 2) })
  }
  await insertRow(context, resellerId, 'reseller_report', { reseller_id: resellerId, report_id: 1, offered: false })
  const runs = await listRuns()
  expect(runs.map(({ requestedAt }) => Date.parse(requestedAt) - start)).toEqual(
    Array.from({ length: MAX_REPORT_RUNS }, (_, n) => (MAX_REPORT_RUNS - n) * 1_000),
  )
  expect(new Set(runs.map(({ reportId, offered }) => `${reportId} ${offered}`))).toEqual(new Set(['1 false', '2 true']))
})

test('[EASE-09][SUP-01] a report that support asked for in the name of a user is listed as made by support', async () => {
  await queryAsAdministrator(context, "update session set kind = 'support', supporter = 'Sam Support' where user_id = $1", [person.id])
  context.advance(1_000)
  await post(STATEMENT, NOVEMBER)
  expect((await listRuns()).map(({ bySupport, requestedBy }) => [bySupport, requestedBy])).toEqual([[true, null]])
})

test('[EASE-09] a timeframe that there is not is refused; one without days is not kept', async () => {
  expect((await post(1, [], { timeframe: 'Next Month' })).statusCode).toBe(400)
  await post(1, [], { timeframe: 'Last Month' })
  expect((await listRuns()).map(({ timeframe }) => timeframe)).toEqual([null])
})
