import { randomUUID } from 'node:crypto'
import type { Report } from '@counterfoil/contract/reports'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import readExcelFile from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportJob } from '../../jobs/report-job.ts'
import { type Answer, clientFor, signInAs, problemBody } from '../../../test/support/http-client.ts'
import { runDueJobs } from '../../../test/support/jobs.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { insertRow, addCustomer, addInvoice, addPerson } from '../../../test/support/people.ts'
import { addUsage, type TestUsageRecord } from '../../../test/support/usage.ts'
import { readWorkbook } from '../../../test/support/workbook.ts'
import { sweepReports } from './runs/report-run.queries.ts'

type Call = ReturnType<typeof clientFor>

let context: TestContext
let app: FastifyInstance
let seeded: Awaited<ReturnType<typeof addUsage>>
let other: Awaited<ReturnType<typeof addUsage>>
let call: Call
let otherClient: Call

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
  seeded = await addUsage(context, 3_000)
  other = await addUsage(context, 30, 11)
  call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
  otherClient = clientFor(app, await signInAs(app, other.person), other.customerId)
})
afterAll(() => context.close())

/** Generates all queued reports, as a worker does. */
const generateAll = async (deps: Pick<TestContext, 'store'> = context): Promise<void> => {
  const worker = { ...context, ...deps }
  await runDueJobs(worker, reportJob(worker))
}

const REGISTER = 1
const BY_SERVICE = 2
const BY_COST_CENTRE = 3
const INVOICE_DETAIL = 4
const STATEMENT = 5

const toParameterList = (parameters: Record<string, string>) => Object.entries(parameters).map(([name, value]) => ({ name, value }))
const days = (from: string, to: string) => ({ StartDate: `${from} 00:00:00`, EndDate: `${to} 23:59:59` })
const generate = (id: number, parameters: Record<string, string>, client = call): Promise<Answer> =>
  client.post('/v1/ec/reports', { id, parameters: toParameterList(parameters) })

const startReport = async (id: number, parameters: Record<string, string>, client = call): Promise<string> => {
  const answer = await generate(id, parameters, client)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ reportId: string }>().reportId
}
const statusOf = async (reportId: string, client = call) =>
  (await client.get(`/v1/ec/reports/status/${reportId}`)).json<{ status: number; path: string | null }>()

/** Requests a report, generates it and downloads its file. */
const fileOf = async (id: number, parameters: Record<string, string>, client = call): Promise<Answer> => {
  const reportId = await startReport(id, parameters, client)
  await generateAll()
  const { status, path } = await statusOf(reportId, client)
  expect(status).toBe(30)
  const answer = await client.get(`/v1/ec/reports/blob/${path}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-length': String(answer.rawPayload.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  return answer
}

const listReports = async (client = call): Promise<Report[]> => (await client.get('/v1/ec/reports')).json<Report[]>()

test('[RPT-01][EASE-09] the five built-in reports are listed, each with what it is for and what it asks for', async () => {
  expect(await listReports()).toEqual([
    {
      id: REGISTER,
      name: 'Invoice Register',
      description: 'Every invoice with its dates, status, tax and what is still due.',
      exportTypeId: 3,
      parameters: [{ name: 'DateRange', required: false }],
    },
    {
      id: BY_SERVICE,
      name: 'Usage by Service',
      description: 'Records, units and price of each service item and record type.',
      exportTypeId: 1,
      parameters: [
        { name: 'DateRange', required: false },
        { name: 'ServiceId', required: false },
      ],
    },
    {
      id: BY_COST_CENTRE,
      name: 'Usage by Cost Centre',
      description: 'What each cost centre used of one service, to charge it on.',
      exportTypeId: 3,
      parameters: [
        { name: 'DateRange', required: false },
        { name: 'ServiceId', required: true },
      ],
    },
    {
      id: INVOICE_DETAIL,
      name: 'Invoice Detail',
      description: 'One invoice with the usage behind it, line by line.',
      exportTypeId: 2,
      parameters: [{ name: 'InvoiceId', required: true }],
    },
    {
      id: STATEMENT,
      name: 'Account Statement',
      description: 'What was due before, what was billed, and what is due now.',
      exportTypeId: 2,
      parameters: [{ name: 'DateRange', required: true }],
    },
  ])
})

test('[RPT-01] a report that the reseller has disabled is neither listed nor generated for its customers', async () => {
  await insertRow(context, other.resellerId, 'reseller_report', { reseller_id: other.resellerId, report_id: REGISTER, offered: false })
  expect((await listReports(otherClient)).map(({ id }) => id)).toEqual([BY_SERVICE, BY_COST_CENTRE, INVOICE_DETAIL, STATEMENT])
  const response = await generate(REGISTER, {}, otherClient)
  expect([response.statusCode, response.json()]).toMatchObject([400, { errors: [{ path: 'body.id' }] }])
  expect((await generate(REGISTER, {})).statusCode).toBe(200)
})

const november = days('11.01.2026', '11.30.2026')

test.each<[string, number, Record<string, string>, string, string]>([
  ['no days where they are required', STATEMENT, {}, 'body.parameters', 'StartDate and EndDate are missing'],
  ['"0" for days that are required', STATEMENT, { StartDate: '0', EndDate: '0' }, 'body.parameters', 'missing'],
  ['only one of the days', REGISTER, { StartDate: '11.01.2026 00:00:00' }, 'body.parameters', 'EndDate'],
  ['days written the other way round', STATEMENT, days('30.11.2026', '30.11.2026'), 'body.parameters', 'StartDate'],
  ['a day that there is not', STATEMENT, days('02.30.2026', '03.01.2026'), 'body.parameters', 'StartDate'],
  ['a start that is not midnight', STATEMENT, { ...november, StartDate: '11.01.2026 10:00:00' }, 'body.parameters', 'StartDate'],
  ['an end before the last second', STATEMENT, { ...november, EndDate: '11.30.2026 00:00:00' }, 'body.parameters', 'EndDate'],
  ['the last day before the first', STATEMENT, days('11.30.2026', '11.01.2026'), 'body.parameters', 'before the first'],
  ['a hundred years', STATEMENT, days('01.01.1926', '01.01.2026'), 'body.parameters', 'ten years'],
  ['no service where one is required', BY_COST_CENTRE, november, 'body.parameters', 'ServiceId is missing'],
  ['"0" for a service that is required', BY_COST_CENTRE, { ...november, ServiceId: '0' }, 'body.parameters', 'ServiceId is missing'],
  ['a service that is no id', BY_SERVICE, { ServiceId: "1' or '1'='1" }, 'body.parameters', 'ServiceId is not an id'],
  ['an invoice that does not exist', INVOICE_DETAIL, { InvoiceId: '987654321' }, 'body.parameters', 'no invoice'],
  ['a parameter of another report', STATEMENT, { ...november, InvoiceId: '1' }, 'body.parameters.2.name', 'InvoiceId'],
  ['a parameter that there is not', REGISTER, { 'x; drop table invoice': '1' }, 'body.parameters.0.name', 'no parameter'],
])('[RPT-02] %s is refused in words', async (_, id, parameters, path, words) => {
  const answer = await generate(id, parameters)
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { message: expect.stringContaining(words), errors: [{ path }] }])
})

test('[RPT-02] days may be sent with or without their first and last second', async () => {
  expect((await generate(STATEMENT, { StartDate: '11.01.2026', EndDate: '11.30.2026' })).statusCode).toBe(200)
})

test('[RPT-02] a parameter that is given twice is refused', async () => {
  const answer = await call.post('/v1/ec/reports', {
    id: BY_SERVICE,
    parameters: [...toParameterList({ ServiceId: '0' }), ...toParameterList({ ServiceId: '0' })],
  })
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { errors: [{ path: 'body.parameters.1.name' }] }])
})

test("[RPT-02] another reseller's service and another customer's invoice are refused like missing ones", async () => {
  const invoice = await addInvoice(context, other.resellerId, other.customerId)
  const sameReseller = await addCustomer(context, seeded.resellerId, seeded.brandId)
  const neighbour = await addInvoice(context, seeded.resellerId, sameReseller)
  for (const id of [invoice, neighbour, 987_654_321])
    expect((await generate(INVOICE_DETAIL, { InvoiceId: String(id) })).json()).toMatchObject({
      message: 'There is no invoice with the id that InvoiceId names.',
    })
  const unused = await insertRow(context, seeded.resellerId, 'service', { reseller_id: seeded.resellerId, name: 'Never used' })
  for (const id of [other.kinds[0]?.service, unused, 987_654_321])
    expect((await generate(BY_SERVICE, { ServiceId: String(id) })).json()).toMatchObject({
      message: 'There is no service with the id that ServiceId names.',
    })
})

test('[RPT-03] a report waits, runs and is ready; only then it has a path, and only its customer sees it', async () => {
  await generateAll()
  const reportId = await startReport(BY_SERVICE, {})
  expect(await statusOf(reportId)).toEqual({ status: 10, path: null })
  const whileRunning: object[] = []
  const transact: TestContext['store']['transact'] = async (as, work, options) => {
    if (as.role === 'counterfoil_app') whileRunning.push(await statusOf(reportId))
    return context.store.transact(as, work, options)
  }
  await generateAll({ store: { ...context.store, transact } })
  expect(whileRunning[0]).toEqual({ status: 20, path: null })
  const ready = await statusOf(reportId)
  expect(ready).toEqual({ status: 30, path: expect.stringMatching(/^[\w-]{43}$/) })
  for (const path of [
    `status/${reportId}`,
    `blob/${ready.path}`,
    `status/${randomUUID()}`,
    'status/1',
    'blob/..%2F..%2Fetc%2Fpasswd',

    `blob/${'a'.repeat(43)}`,
  ]) {
    const foreign = await otherClient.get(`/v1/ec/reports/${path}`)
    expect([path, foreign.statusCode, foreign.json()]).toEqual([path, 404, problemBody('not_found', 'There is nothing at this address.')])
  }
})

const UNITS = 1_000
/** Sums of the seeded records by any key, as whole thousandths of units and ten thousandths of price. */
const sumRecords = (records: readonly TestUsageRecord[], key: (record: TestUsageRecord) => string) => {
  const sums = new Map<string, { records: number; units: number; price: number }>()
  for (const record of records) {
    const sum = sums.get(key(record)) ?? { records: 0, units: 0, price: 0 }
    sum.records += 1
    sum.units += Math.round(Number(record.shown.units) * UNITS)
    sum.price += Math.round(Number(record.shown.price) * 10_000)
    sums.set(key(record), sum)
  }
  return sums
}

const inOctober = ({ at }: TestUsageRecord): boolean => at.startsWith('2026-10')
const october = days('10.01.2026', '10.31.2026')
const serviceName = (id: number): string => (id === seeded.kinds[0]?.service ? '4G Data' : 'SMS')
const itemOf = ({ serviceItem }: TestUsageRecord) => seeded.items.find(({ id }) => id === serviceItem)
const roundedUnits = (thousandths: number): string => (Math.round(thousandths / 10) / 100).toFixed(2)

test('[RPT-04] Usage by Service is a csv file with exact sums of every service item and record type of the days asked for', async () => {
  const answer = await fileOf(BY_SERVICE, october)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toContain('filename="Usage_by_Service_2026-10-01_2026-10-31.csv"')
  expect(answer.body.startsWith('\uFEFFService,')).toBe(true)
  const [head, ...rows] = parse(answer.body, { bom: true }) as string[][]
  expect(head).toEqual(['Service', 'Service Item', 'Service Item Description', 'Record Type', 'Records', 'Units', 'Price'])
  const expected = sumRecords(seeded.records.filter(inOctober), (record) =>
    [serviceName(record.service), itemOf(record)?.name ?? '', itemOf(record)?.description ?? '', String(record.shown.recordType)].join('|'),
  )
  expect(expected.size).toBeGreaterThan(40)
  const actual = rows.map(([service, item, description, type, ...figures]) => [[service, item, description, type].join('|'), figures])
  expect(Object.fromEntries(actual)).toEqual(
    Object.fromEntries(
      [...expected].map(([key, { records, units, price }]) => [key, [String(records), roundedUnits(units), (price / 10_000).toFixed(4)]]),
    ),
  )
  expect(actual).toHaveLength(expected.size)
})

test('[RPT-04] Usage by Service keeps to one service, and without days takes all', async () => {
  const service = seeded.kinds[0]?.service ?? 0
  const [, ...rows] = parse((await fileOf(BY_SERVICE, { ServiceId: String(service), StartDate: '0', EndDate: '0' })).body, {
    bom: true,
  }) as string[][]
  expect(new Set(rows.map(([name]) => name))).toEqual(new Set(['4G Data']))
  const recordCount = rows.reduce((sum, row) => sum + Number(row[4]), 0)
  expect(recordCount).toBe(seeded.records.filter((record) => record.service === service).length)
})

test('[RPT-04] Usage by Cost Centre is a workbook with typed figures; a record without a cost centre counts to that of its service item', async () => {
  const service = seeded.kinds[0]?.service ?? 0
  const answer = await fileOf(BY_COST_CENTRE, { ...october, ServiceId: String(service) })
  expect(answer.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  const { sheet, rows, widths, isHeadFrozen } = readWorkbook(answer.rawPayload)
  expect([sheet, isHeadFrozen, widths.length]).toEqual(['Usage by Cost Centre', true, 7])
  const [head, ...lines] = rows.map((row) => Array.from({ length: 7 }, (_, at) => row[at]?.value ?? null))
  const [independentReading] = await readExcelFile(answer.rawPayload)
  expect(independentReading?.data).toEqual([head, ...lines])
  expect(head).toEqual(['Cost Centre', 'Service Item', 'Service Item Description', 'Record Type', 'Records', 'Units', 'Price'])
  const ownClient = seeded.records.filter((record) => inOctober(record) && record.service === service)
  const expected = sumRecords(ownClient, (record) =>
    [record.shown.costCentre ?? '', itemOf(record)?.name ?? '', String(record.shown.recordType)].join('|'),
  )
  expect(
    Object.fromEntries(lines.map(([centre, item, , type, ...figures]) => [[centre ?? '', item ?? '', type].join('|'), figures])),
  ).toEqual(Object.fromEntries([...expected].map(([key, { records, units, price }]) => [key, [records, units / UNITS, price / 10_000]])))
  expect(rows[1]?.slice(4).map((cell) => cell.format)).toEqual(['#,##0', '#,##0.00', '#,##0.0000'])
})

test('[RPT-04] the Invoice Register is a workbook with every invoice of the days, its dates and amounts typed', async () => {
  const customerId = await addCustomer(context, seeded.resellerId, seeded.brandId)
  const addRow = (row: Parameters<typeof addInvoice>[3]) => addInvoice(context, seeded.resellerId, customerId, row)
  const own = { customer_id: customerId }
  const period_id = await insertRow(context, seeded.resellerId, 'billing_period', {
    ...own,
    starts_on: '2026-10-01',
    ends_on: '2026-10-31',
  })
  await addRow({ number: '=1+1 & "<b>"', issued_on: '2026-11-02', due_on: '2026-11-16', period_id })
  await addRow({ number: 'INV-OLD', issued_on: '2026-10-31' })
  await addRow({ number: 'INV-PAID', issued_on: '2026-11-03', status: 11, amount_due_minor: 0 })
  await addRow({ number: 'INV-NEXT', issued_on: '2026-12-01' })
  const session = await signInAs(app, await addPerson(context, seeded.resellerId, seeded.brandId, [customerId]))
  const ownClient = clientFor(app, session, customerId)
  const { rows } = readWorkbook((await fileOf(REGISTER, november, ownClient)).rawPayload)
  const values = rows.map((row) => Array.from({ length: 11 }, (_, at) => row[at]?.value ?? null))
  const day = (text: string): number => (Date.parse(text) - Date.parse('1899-12-30')) / 86_400_000
  expect(values).toEqual([
    ['Invoice', 'Issued', 'Due', 'Period from', 'Period to', 'Status', 'Currency', 'Net', 'Tax', 'Amount', 'Amount due'],
    ['=1+1 & "<b>"', day('2026-11-02'), day('2026-11-16'), day('2026-10-01'), day('2026-10-31'), 'Overdue', 'AUD', 100, 10, 110, 110],
    ['INV-PAID', day('2026-11-03'), day('2026-11-30'), null, null, 'Paid', 'AUD', 100, 10, 110, 0],
  ])
  expect([1, 2, 9].map((at) => rows[1]?.[at]?.format)).toEqual(['yyyy-mm-dd', 'yyyy-mm-dd', '#,##0.00'])
  const all = readWorkbook((await fileOf(REGISTER, {}, ownClient)).rawPayload)
  expect(all.rows).toHaveLength(5)
})

test('a report of a customer without data is still a complete file', async () => {
  const customerId = await addCustomer(context, seeded.resellerId, seeded.brandId)
  const ownClient = clientFor(
    app,
    await signInAs(app, await addPerson(context, seeded.resellerId, seeded.brandId, [customerId])),
    customerId,
  )
  expect((await fileOf(BY_SERVICE, {}, ownClient)).body).toBe(
    '\uFEFFService,Service Item,Service Item Description,Record Type,Records,Units,Price\n',
  )
  expect(readWorkbook((await fileOf(REGISTER, {}, ownClient)).rawPayload).rows).toHaveLength(1)
  expect((await fileOf(STATEMENT, november, ownClient)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
})

test('[RPT-03] a file expires after 24 hours and is then deleted, and 30 days later the report that it was of', async () => {
  const reportId = await startReport(BY_SERVICE, {})
  await generateAll()
  const { path } = await statusOf(reportId)
  context.advance(24 * 3_600_000 - 1)
  const person = await signInAs(app, seeded.person)
  const laterClient = clientFor(app, person, seeded.customerId)
  expect((await laterClient.get(`/v1/ec/reports/blob/${path}`)).statusCode).toBe(200)
  context.advance(1)
  expect((await laterClient.get(`/v1/ec/reports/blob/${path}`)).statusCode).toBe(404)
  expect((await laterClient.get(`/v1/ec/reports/status/${reportId}`)).statusCode).toBe(404)
  await context.store.transact({ role: 'counterfoil_system' }, (db) => sweepReports(db, context.clock()))
  const countRemaining = () =>
    context.store.transact({ role: 'counterfoil_reseller', resellerId: seeded.resellerId }, async (db) => ({
      reports: (await db.selectFrom('report_job').select('id').execute()).length > 0,
      chunks: (await db.selectFrom('report_chunk').select('n').execute()).length > 0,
    }))
  expect(await countRemaining()).toEqual({ reports: true, chunks: false })
  context.advance(30 * 24 * 3_600_000)
  await context.store.transact({ role: 'counterfoil_system' }, (db) => sweepReports(db, context.clock()))
  expect(await countRemaining()).toEqual({ reports: false, chunks: false })
})
