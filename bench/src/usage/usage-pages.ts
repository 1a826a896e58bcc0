import { minFinding, maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { type HttpClient, openClient, runClosedLoop } from '../harness/http-load.ts'
import { runPgbench } from '../harness/pgbench.ts'
import { startBareFastify } from '../baselines/bare-fastify.ts'
import type { SeededUsage } from './usage-seed.ts'
import { signInHeaders, signInPeople, type BenchEnvironment } from '../harness/environment.ts'

const REPETITIONS = 5
const SECONDS = 3

/** A page's transaction for pgbench: the same role, tenant, total and rows. pgbench's prepared mode sends each command separately. */
const pgbenchScript = (customer: number, from: string, to: string): string => `
begin;
set local role counterfoil_app;
select set_config('app.customer_id', '${customer}', true), set_config('app.reseller_id', '2204', true);
${pageStatements(customer, from, to)}commit;
`

/** The two queries of a page. */
const pageStatements = (
  customer: number,
  from: string,
  to: string,
): string => `select sum(k.records) from usage_day k where k.customer_id = ${customer} and k.day between '${from}' and '${to}';
select u.usage_at, i.service_item, i.description, u.service_item2, u.service_item3, u.site, u.units, u.price, t.description, u.cost_centre
 from (select u.* from usage_record u where u.customer_id = ${customer} and u.usage_at >= '${from} 00:00+00' and u.usage_at < timestamptz '${to} 00:00+00' + interval '1 day' order by u.usage_at desc, u.id desc limit 100) u
 left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id join record_type t on t.id = u.record_type_id order by u.usage_at desc, u.id desc;
`

interface Span {
  readonly from: string
  readonly to: string
}

const pagePath = ({ from, to }: Span, filters: Record<string, string> = {}): string =>
  `/v1/ec/usage?${new URLSearchParams({ dateFrom: from, dateTo: to, ...filters })}`

const measureP50 = async (client: HttpClient, headers: Record<string, string>, address: string): Promise<number> =>
  percentile((await runClosedLoop(client, { path: address, headers }, { clients: 1, seconds: 1 })).ms, 0.5)

/** Measures pages of usage through the whole server against pgbench and against each other, interleaved. */
export const measurePages = async (
  { server, settings }: BenchEnvironment,
  adminUrl: string,
  seeded: SeededUsage,
  today: string,
): Promise<Finding[]> => {
  const month = { from: `${today.slice(0, 8)}01`, to: today }
  const years = { from: `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, to: today }
  return [
    ...(await measureRates(server.url, settings['DATABASE_URL'] ?? '', adminUrl, seeded, month, years)),
    ...(await measureRatios(server.url, seeded, month, years)),
  ]
}

const measureRates = async (
  url: string,
  databaseUrl: string,
  adminUrl: string,
  { biggest }: SeededUsage,
  month: Span,
  years: Span,
): Promise<Finding[]> => {
  const people = await signInPeople(url, adminUrl, biggest.id)
  const callsOf = (span: Span) => people.map((headers) => ({ path: pagePath(span), headers }))
  const [headers = {}] = people
  const sixteenClients = openClient(url, 16)
  const oneClient = openClient(url, 1)
  const script = pgbenchScript(biggest.id, month.from, month.to)
  const statements = pageStatements(biggest.id, month.from, month.to)
  const toPgbenchStatements: number[] = []
  const toPgbench: number[] = []
  const latencyRatio: number[] = []
  const yearsRatio: number[] = []
  const pagesPerSecond: number[] = []
  const toBareFastify: number[] = []
  const bareServer = await startBareFastify((await oneClient.send({ path: pagePath(month), headers })).body)
  const bareClients = openClient(bareServer.url, 16)
  await runClosedLoop(sixteenClients, callsOf(month), { clients: 16, seconds: 2 })
  for (let round = 0; round < REPETITIONS; round += 1) {
    const pgbenchRun = await runPgbench(databaseUrl, script, { clients: 16, seconds: SECONDS })
    const pgbenchStatementsRun = await runPgbench(adminUrl, statements, { clients: 16, seconds: SECONDS })
    const monthRun = await runClosedLoop(sixteenClients, callsOf(month), { clients: 16, seconds: SECONDS })
    const yearsRun = await runClosedLoop(sixteenClients, callsOf(years), { clients: 16, seconds: SECONDS })
    const pgbenchOneClient = await runPgbench(databaseUrl, script, { clients: 1, seconds: SECONDS })
    toBareFastify.push(monthRun.perSecond / (await runClosedLoop(bareClients, { path: '/' }, { clients: 16, seconds: SECONDS })).perSecond)
    toPgbench.push(monthRun.perSecond / pgbenchRun.perSecond)
    toPgbenchStatements.push(monthRun.perSecond / pgbenchStatementsRun.perSecond)
    pagesPerSecond.push(monthRun.perSecond)
    yearsRatio.push(monthRun.perSecond / yearsRun.perSecond)
    latencyRatio.push((await measureP50(oneClient, headers, pagePath(month))) / pgbenchOneClient.ms)
  }
  for (const client of [sixteenClients, oneClient, bareClients]) client.close()
  bareServer.stop()
  return [
    minFinding('Month pages a second at 16 clients : the same bytes from a bare Fastify', median(toBareFastify), 0, '×'),
    minFinding(
      'Month pages a second at 16 clients : pgbench, the same transaction',
      median(toPgbench),
      0.5,
      '×',
      ` (${median(pagesPerSecond).toFixed(0)} a second)`,
    ),
    minFinding('The same : pgbench, the two bare statements', median(toPgbenchStatements), 0.4, '×'),
    maxFinding('Month page p50 at one client : pgbench', median(latencyRatio), 1.5, '×'),
    maxFinding('24 months : month, at 16 clients', median(yearsRatio), 1.7, '×'),
  ]
}

const measureRatios = async (url: string, { biggest, small }: SeededUsage, month: Span, years: Span): Promise<Finding[]> => {
  const headers = await signInHeaders(url, 'demo', biggest.id)
  const smallHeaders = await signInHeaders(url, 'demo', small.id)
  const client = openClient(url, 1)
  const lastPage = String(Math.max(1, Math.min(5_000, Math.floor(biggest.rows / 100))))
  const cases: Record<string, { headers: Record<string, string>; path: string }> = {
    month: { headers, path: pagePath(month) },
    years: { headers, path: pagePath(years) },
    deep: { headers, path: pagePath(years, { pageNumber: lastPage }) },
    service: { headers, path: pagePath(years, { service: '902' }) },
    type: { headers, path: pagePath(years, { recordType: '9012' }) },
    agreement: { headers, path: pagePath(years, { agreement: '50000001' }) },
    price: { headers, path: pagePath(month, { sort: 'price' }) },
    priceDeep: { headers, path: pagePath(month, { sort: 'price', pageNumber: '200' }) },
    itemName: { headers, path: pagePath(month, { sort: 'serviceItemName', order: 'asc' }) },
    small: { headers: smallHeaders, path: pagePath(month) },
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round < REPETITIONS; round += 1)
    for (const [name, { headers: caseHeaders, path }] of Object.entries(cases))
      (times[name] ??= []).push(await measureP50(client, caseHeaders, path))
  client.close()
  const ms = (name: string): number => median(times[name] ?? [])
  const ratioFinding = (what: string, name: string, base: string, limit: number): Finding =>
    maxFinding(
      what,
      median((times[name] ?? []).map((value, at) => value / (times[base]?.[at] ?? Number.NaN))),
      limit,
      '×',
      ` (${ms(base).toFixed(2)} → ${ms(name).toFixed(2)} ms)`,
    )
  return [
    ratioFinding(`Page ${lastPage} of 24 months : page 1`, 'deep', 'years', 2),
    ratioFinding('24 months of a service : all', 'service', 'years', 2),
    ratioFinding('24 months of a record type : all', 'type', 'years', 2),
    ratioFinding('24 months of an agreement : all', 'agreement', 'years', 2),
    ratioFinding('Page 200 by price : page 1 by price', 'priceDeep', 'price', 2),
    maxFinding('Month by service item name, p50', ms('itemName'), 3, 'ms'),
    ratioFinding('Small customer : biggest customer, month', 'small', 'month', 1.2),
  ]
}
