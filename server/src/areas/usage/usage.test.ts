import { USAGE_SORTS, type UsageSort, type UsageSummary } from '@counterfoil/contract/usage'
import { parse } from 'csv-parse/sync'
import { toExact, toShortText } from '@counterfoil/contract/kit/decimal'
import { addDays, daysBetween, firstOfMonth } from '@counterfoil/contract/kit/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { changeBrand, insertRows, queryAsAdministrator } from '../../../test/support/people.ts'
import { countUsage, deleteUsage } from '../../usage-store/count-usage.queries.ts'
import { addUsage, insertUsageRecords, type TestUsageRecord } from '../../../test/support/usage.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'

let context: TestContext
let seeded: Awaited<ReturnType<typeof addUsage>>
let call: ReturnType<typeof clientFor>

beforeAll(async () => {
  context = await testContext()
  seeded = await addUsage(context, 6_000)
  const app = await context.app()
  call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
})
afterAll(() => context.close())

interface PageRequest {
  readonly from: string
  readonly to: string
  readonly service: number
  readonly recordType: number
  readonly agreement: number
  readonly serviceItem: number
  readonly costCentre: string
  readonly sort: UsageSort
  readonly order: 'asc' | 'desc'
  readonly pageSize: number
}

const ALL: PageRequest = {
  from: '2026-06-01',
  to: '2026-12-31',
  service: 0,
  recordType: 0,
  agreement: 0,
  serviceItem: 0,
  costCentre: '',
  sort: 'date',
  order: 'desc',
  pageSize: 100,
}

const address = (request: PageRequest, page: number): string =>
  `/v1/ec/usage?${new URLSearchParams({
    dateFrom: request.from,
    dateTo: request.to,
    service: String(request.service),
    recordType: String(request.recordType),
    agreement: String(request.agreement),
    serviceItem: String(request.serviceItem),
    costCentre: request.costCentre,
    sort: request.sort,
    order: request.order,
    pageSize: String(request.pageSize),
    pageNumber: String(page),
  })}`

const matchingRecords = (request: PageRequest, records: readonly TestUsageRecord[] = seeded.records): TestUsageRecord[] =>
  records.filter(
    ({ at, service, recordType, agreement, serviceItem, shown }) =>
      at.slice(0, 10) >= request.from &&
      at.slice(0, 10) <= request.to &&
      (request.service === 0 || service === request.service) &&
      (request.recordType === 0 || recordType === request.recordType) &&
      (request.agreement === 0 || agreement === request.agreement) &&
      (request.serviceItem === 0 || serviceItem === request.serviceItem) &&
      (request.costCentre === '' || shown.costCentre === request.costCentre),
  )

const newestFirst = (a: TestUsageRecord, b: TestUsageRecord): number => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1)

/** The records in the order of a sort; nulls sort last in both directions. */
const sortedRecords = (request: PageRequest, records: readonly TestUsageRecord[] = seeded.records): TestUsageRecord[] => {
  const { sort, order } = request
  const sign = order === 'asc' ? 1 : -1
  if (sort === 'date') return matchingRecords(request, records).toSorted((a, b) => -sign * newestFirst(a, b))
  return matchingRecords(request, records).toSorted((a, b) => {
    const [x, y] = [a.shown[sort], b.shown[sort]]
    if (x === y) return newestFirst(a, b)
    if (x === null) return 1
    if (y === null) return -1
    return sign * (x < y ? -1 : 1)
  })
}

const asShown = ({ at, shown }: TestUsageRecord) => ({ date: at, ...shown })

const days = fc.integer({ min: 0, max: 170 }).map((n) => new Date(Date.UTC(2026, 5, 10 + n)).toISOString().slice(0, 10))

test('[USG-05] any filter, sort and page gives what a plain scan gives, with the exact total', async () => {
  const id = (ids: readonly number[]) => fc.constantFrom(0, 0, 0, ...ids)
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        span: fc.tuple(days, days).map((two) => two.toSorted() as [string, string]),
        service: id([...new Set(seeded.kinds.map(({ service }) => service))]),
        recordType: id(seeded.kinds.map(({ type }) => type)),
        agreement: id(seeded.agreements),
        serviceItem: id(seeded.items.slice(0, 6).map((item) => item.id)),
        costCentre: fc.constantFrom('', '', '', 'Fleet', '+Ops', "O'Hara"),
        sort: fc.constantFrom(...USAGE_SORTS, 'date' as const, 'date' as const),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        pageSize: fc.constantFrom(1, 7, 100, 1_000),
        page: fc.integer({ min: 1, max: 40 }),
      }),
      async ({ span: [from, to], page, ...rest }) => {
        const request: PageRequest = { from, to, ...rest }
        const expected = sortedRecords(request)
        const answer = await call.get(address(request, page))
        expect(answer.statusCode, answer.body).toBe(200)
        const got = answer.json<{ totalCount: number; endUsageDetails: object[] }>()
        expect(got.totalCount).toBe(expected.length)
        expect(got.endUsageDetails).toEqual(expected.slice((page - 1) * rest.pageSize, page * rest.pageSize).map(asShown))
      },
    ),
    { numRuns: 120 },
  )
}, 120_000)

test.each(['desc', 'asc'] as const)('[USG-05] one page after the other, by date %s, holds each record once', async (order) => {
  const request: PageRequest = { ...ALL, order, pageSize: 37 }
  const expected = sortedRecords(request)
  const got: object[] = []
  for (let page = 1; page <= Math.ceil(expected.length / request.pageSize); page += 1)
    got.push(...(await call.get(address(request, page))).json<{ endUsageDetails: object[] }>().endUsageDetails)
  expect(got).toEqual(expected.map(asShown))
})

const exactSum = (numbers: readonly (number | string | null)[]): string =>
  toShortText(numbers.reduce((sum: bigint, number) => sum + toExact(Number(number).toFixed(6)), 0n))

type FilterRequest = Omit<PageRequest, 'sort' | 'order' | 'pageSize'>

const summaryAddress = ({ from: dateFrom, to: dateTo, service, recordType, agreement, serviceItem, costCentre }: FilterRequest): string => {
  const filter = { service, recordType, agreement, serviceItem, costCentre }
  return `/v1/ec/usage/summary?${new URLSearchParams({ dateFrom, dateTo, ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])) })}`
}

test('[EASE-06][EASE-07] the sums of any filter are exact, in all and for each of its days or months', async () => {
  const id = (ids: readonly number[]) => fc.constantFrom(0, 0, 0, ...ids)
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        span: fc.tuple(days, days).map((two) => two.toSorted() as [string, string]),
        service: id([...new Set(seeded.kinds.map(({ service }) => service))]),
        recordType: id(seeded.kinds.map(({ type }) => type)),
        agreement: id(seeded.agreements),
        serviceItem: id(seeded.items.slice(0, 6).map((item) => item.id)),
        costCentre: fc.constantFrom('', '', '', 'Fleet', '+Ops', 'nobody'),
      }),
      async ({ span: [from, to], ...rest }) => {
        const found = matchingRecords({ ...ALL, from, to, ...rest })
        const answer = await call.get(summaryAddress({ from, to, ...rest }))
        expect(answer.statusCode, answer.body).toBe(200)
        const { bars, ...sums } = answer.json<UsageSummary>()
        expect(sums).toEqual({
          records: found.length,
          price: exactSum(found.map(({ shown }) => shown.price)),
          units: rest.recordType === 0 ? null : exactSum(found.map(({ shown }) => shown.units)),
        })
        expect([bars[0]?.dateFrom, bars.at(-1)?.dateTo]).toEqual([from, to])
        const isByDay = daysBetween(from, to) + 1 <= 62
        for (const [at, { dateFrom, dateTo, records, price }] of bars.entries()) {
          if (at > 0) expect(dateFrom).toBe(addDays(bars[at - 1]?.dateTo ?? '', 1))
          expect(isByDay ? dateTo : firstOfMonth(dateTo)).toBe(isByDay ? dateFrom : firstOfMonth(dateFrom))
          const own = found.filter((record) => record.at.slice(0, 10) >= dateFrom && record.at.slice(0, 10) <= dateTo)
          expect([records, price]).toEqual([own.length, exactSum(own.map(({ shown }) => shown.price))])
        }
      },
    ),
    { numRuns: 120 },
  )
}, 120_000)

test.runIf(inject('testDatabase').kind === 'postgres')(
  '[EASE-06] sums that cannot be had within five seconds are refused with a way out; those of counters still answer',
  async () => {
    const slow = "create policy slow on usage_record as restrictive to counterfoil_app using (pg_sleep(0.01)::text = '')"
    await queryAsAdministrator(context, slow)
    try {
      const refused = await call.get(summaryAddress({ ...ALL, costCentre: 'Fleet' }))
      expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
        400,
        'So many records cannot be summed up for one connection or cost centre. Please choose a shorter time.',
      ])
      expect((await call.get(summaryAddress(ALL))).statusCode).toBe(200)
    } finally {
      await queryAsAdministrator(context, 'drop policy slow on usage_record')
    }
  },
)

test('[EASE-07] the filters offer the months with usage, newest first, and cost centres where the brand shows them', async () => {
  const months = [...new Set(seeded.records.map(({ at }) => firstOfMonth(at.slice(0, 10))))].toSorted().toReversed()
  const read = async () => (await call.get('/v1/ec/usage/filters')).json<object>()
  expect(await read()).toEqual({ months, costCentres: [] })
  await changeBrand(context, seeded.resellerId, seeded.brandId, { end_show_usage_cost_centre: true })
  expect(await read()).toEqual({ months, costCentres: ['+Ops', 'Fleet'] })
  await changeBrand(context, seeded.resellerId, seeded.brandId, { end_show_usage_cost_centre: false })
})

test('[USG-05] every page of every sort together holds each record once, deep pages too', async () => {
  for (const sort of USAGE_SORTS) {
    const request: PageRequest = { ...ALL, sort, order: 'asc', pageSize: 1_000 }
    const seen: object[] = []
    for (let page = 1; page <= 6; page += 1)
      seen.push(...(await call.get(address(request, page))).json<{ endUsageDetails: object[] }>().endUsageDetails)
    expect(seen, sort).toEqual(sortedRecords(request).map(asShown))
  }
}, 120_000)

test('[USG-05] by service item name, each page has its records in order: of hundreds of items, two of each name, some without records, and of no item', async () => {
  const many = await addUsage(context, 300, 13)
  const [kind] = many.kinds
  const [one] = many.records
  if (kind === undefined || one === undefined) throw new Error('no usage')
  const names = Array.from({ length: 1_000 }, (_, at) => `Line ${String(Math.floor(at / 2)).padStart(3, '0')}`)
  const own = { customer_id: many.customerId, service_id: kind.service }
  const newItems = names.map((service_item) => ({ ...own, service_item }))
  const items = await insertRows(context, many.resellerId, 'service_item', newItems)
  const added = Array.from({ length: 4_000 }, (_, nth): TestUsageRecord => {
    // Of the first names one in three has records, so that a page needs hundreds of them.
    const at = nth < 200 ? Math.floor(nth / 2) * 6 + (nth % 2) : 600 + (nth % 400)
    const isOfItem = nth < 200 || nth % 20 === 0
    const shown = { ...one.shown, serviceItemName: isOfItem ? (names[at] ?? null) : null, serviceItemDescription: null }
    const instant = `2026-08-05T10:0${nth % 6}:00.000Z`
    return { ...one, id: 10_000 + nth, at: instant, serviceItem: isOfItem ? (items[at] ?? null) : null, shown }
  })
  await insertUsageRecords(context, many.resellerId, many.customerId, added)
  const app = await context.app()
  const callMany = clientFor(app, await signInAs(app, many.person), many.customerId)
  const records = [...many.records, ...added].filter(({ at }) => at >= '2026-08-02' && at < '2026-08-29')
  for (const order of ['asc', 'desc'] as const)
    for (const [page, pageSize] of [
      [1, 100],
      [2, 100],
      [3, 100],
      [5, 100],
      [19, 100],
      [2, 1_000],
      [41, 100],
      [records.length, 1],
    ] as const) {
      const request: PageRequest = { ...ALL, from: '2026-08-02', to: '2026-08-28', sort: 'serviceItemName', order, pageSize }
      const expected = sortedRecords(request, records).slice((page - 1) * pageSize, page * pageSize)
      const answer = await callMany.get(address(request, page))
      expect(answer.json(), `${order} ${page}`).toEqual({ totalCount: records.length, endUsageDetails: expected.map(asShown) })
    }
})

test('[USG-05] what is loaded after a sorted list was made shows on its later pages at once', async () => {
  const request: PageRequest = { ...ALL, sort: 'price', order: 'desc', pageSize: 1_000 }
  await call.get(address(request, 4))
  const [one] = seeded.records
  if (one === undefined) throw new Error('no record')
  const added: TestUsageRecord = { ...one, id: 900_001, shown: { ...one.shown, price: 3.25 } }
  await insertUsageRecords(context, seeded.resellerId, seeded.customerId, [added])
  seeded.records.push(added)
  const answer = await call.get(address(request, 4))
  expect(answer.json()).toEqual({
    totalCount: seeded.records.length,
    endUsageDetails: sortedRecords(request).slice(3_000, 4_000).map(asShown),
  })
})

test('the counters hold what the records hold, after loads side by side, deletions and loads that were rolled back', async () => {
  const [one] = seeded.records
  if (one === undefined) throw new Error('no record')
  const batch = (from: number): TestUsageRecord[] =>
    seeded.records.slice(from, from + 300).map((record, at) => ({ ...record, id: 2_000_000 + from * 1_000 + at }))
  await Promise.all([0, 1, 2, 3].map((at) => insertUsageRecords(context, seeded.resellerId, seeded.customerId, batch(at * 300))))
  const { customerId, resellerId } = seeded
  const added = { with: sql``, where: sql<boolean>`u.customer_id = ${customerId} and u.id >= 2000000` }
  await context.store.transact({ role: 'counterfoil_loader', resellerId }, async (db) => {
    await countUsage(db, resellerId, added, -1)
    await deleteUsage(db, added)
  })
  await context.store
    .transact({ role: 'counterfoil_loader', resellerId }, async (db) => {
      await sql`insert into usage_record (reseller_id, customer_id, id, usage_at, service_id, record_type_id, units, price)
        select reseller_id, customer_id, id + 2000000, usage_at, service_id, record_type_id, 1, 1 from usage_record
        where customer_id = ${customerId} on conflict do nothing`.execute(db)
      await countUsage(db, resellerId, added, 1)
      throw new Error('the loader died')
    })
    .catch(() => undefined)
  expect(await findMiscounts(context, seeded.resellerId)).toEqual([])
})

const parameters = (over: Record<string, string> = {}) => ({
  parameters: Object.entries({
    startDate: '2026-06-01 00:00:00',
    endDate: '2026-12-31 23:59:59',
    agreementId: '0',
    serviceId: '0',
    recordTypeId: '0',
    serviceItemId: '0',
    ...over,
  }).map(([name, value]) => ({ name, value })),
})

const text = (value: string | number | null): string => {
  const words = String(value ?? '')
  return /^(?:[\t\r\n]|[ \u00a0\u3000]*[=+@|＝＋－＠-])/.test(words) ? `'${words}` : words
}
const fixedDigits = (value: string | number | null, digits: number): string => {
  const scaled = Math.round(Math.abs(Number(value)) * 10 ** 6) / 10 ** 6
  const rounded = (Math.floor(scaled * 10 ** digits + 0.5 + 1e-9) / 10 ** digits).toFixed(digits)
  return Number(value) < 0 && Number(rounded) !== 0 ? `-${rounded}` : rounded
}

test('[USG-07][EASE-07] the download holds every row of the filter, newest first, and says how many before the first', async () => {
  const [kind] = seeded.kinds
  for (const over of [{}, { serviceId: String(kind?.service) }, { costCentre: '+Ops' }, { costCentre: "O'Hara\\" }]) {
    const request = {
      ...ALL,
      service: Number('serviceId' in over ? over.serviceId : 0),
      costCentre: 'costCentre' in over ? over.costCentre : '',
    }
    const answer = await call.post('/v1/ec/usage/download', parameters(over))
    expect(answer.statusCode).toBe(200)
    const expected = sortedRecords(request)
    expect(answer.headers['x-row-count']).toBe(String(expected.length))
    expect(answer.headers['content-disposition']).toContain('serviceId' in over ? '4G%20Data_Usage.csv' : 'All_Usage.csv')
    const [head, ...rows] = parse(answer.body, { bom: true }) as string[][]
    expect(head).toEqual([
      'Service Item',
      'Service Item 2',
      'Service Item 3',
      'Record Type',
      'Units',
      'Service Item Description',
      'Site',
      'Date',
      'Price',
    ])
    expect(rows).toEqual(
      expected.map(({ at, shown }) => [
        text(shown.serviceItemName),
        text(shown.serviceItem2),
        text(shown.serviceItem3),
        text(shown.recordType),
        fixedDigits(shown.units, 2),
        text(shown.serviceItemDescription),
        text(shown.siteName),
        at.slice(0, 10),
        fixedDigits(shown.price, 4),
      ]),
    )
  }
})

test('[USG-06] the download has a cost centre only where the brand shows it', async () => {
  await changeBrand(context, seeded.resellerId, seeded.brandId, { end_show_usage_cost_centre: true })
  const { body } = await call.post('/v1/ec/usage/download', parameters())
  const [head, first] = parse(body, { bom: true }) as string[][]
  expect(head?.at(-1)).toBe('Cost Centre')
  expect(first?.at(-1)).toBe(text(sortedRecords(ALL)[0]?.shown.costCentre ?? null))
})

test.each([
  ['dateFrom=2026-02-01&dateTo=2026-01-01', 'The last day lies before the first.'],
  ['dateFrom=1926-01-01&dateTo=2026-01-01', 'Please choose at most ten years at a time.'],
  ['dateFrom=2026-02-30&dateTo=2026-03-01', 'query.dateFrom'],
  ['dateFrom=2026-02-01&dateTo=2026-03-01%2012:00:00', 'query.dateTo'],
  ['dateFrom=2026-02-01&dateTo=2026-03-01&pageSize=1000000000', 'query.pageSize'],
  ['dateFrom=2026-02-01&dateTo=2026-03-01&pageNumber=-1', 'query.pageNumber'],
  ['dateFrom=2026-02-01&dateTo=2026-03-01&sort=secret', 'query.sort'],
  ['dateFrom=2026-02-01&dateTo=2026-03-01&service=1%20or%201=1', 'query.service'],
  ['dateTo=2026-03-01', 'query.dateFrom is missing'],
])('[USG-05] %s is refused in words', async (query, words) => {
  const answer = await call.get(`/v1/ec/usage?${query}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ message: string }>().message).toContain(words)
})

test.each([
  [{ startDate: 'soon' }, 'startDate'],
  [{ startDate: '2026-06-01 13:00:00' }, 'startDate is not a whole day such as 2026-11-20 00:00:00'],
  [{ startDate: '2026-06-01 23:59:59' }, 'startDate'],
  [{ endDate: '2026-12-31 00:00:00' }, 'endDate is not a whole day such as 2026-11-20 23:59:59'],
  [{ endDate: '2026-12-31T23:59:59Z' }, 'endDate'],
  [{ startDate: '2016-01-01 00:00:00' }, 'ten years'],
  [{ colour: 'red' }, 'colour'],
  [{ serviceId: '1; drop table invoice' }, 'serviceId'],
])('[USG-07] a download with %o is refused in words', async (over, words) => {
  const answer = await call.post('/v1/ec/usage/download', parameters(over))
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ message: string }>().message).toContain(words)
})

test('[USG-07] days may be sent with or without their first and last second', async () => {
  const [plain, withTimes] = await Promise.all([
    call.post('/v1/ec/usage/download', parameters({ startDate: '2026-06-01', endDate: '2026-12-31' })),
    call.post('/v1/ec/usage/download', parameters()),
  ])
  expect([plain.statusCode, plain.body]).toEqual([200, withTimes.body])
})

test("[USG-03] another customer's service item as a filter finds nothing", async () => {
  const other = await addUsage(context, 20, 11)
  const answer = await call.get(address({ ...ALL, serviceItem: other.items[0]?.id ?? 0 }, 1))
  expect(answer.json()).toEqual({ totalCount: 0, endUsageDetails: [] })
})
