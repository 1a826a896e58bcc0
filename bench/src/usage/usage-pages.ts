import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinaries } from '../../../server/src/test-bench/postgres-binaries.ts'
import { atLeast, atMost, type Finding, median, percentile } from '../harness/findings.ts'
import { type Client, client, closedLoop } from '../harness/http-load.ts'
import { bareFastify } from '../baselines/bare-fastify.ts'
import type { SeededUsage } from './usage-seed.ts'
import { signedIn, type World } from '../harness/world.ts'

const ROUNDS = 5
const SECONDS = 3

/** The transaction of a page as pgbench runs it: the same role, tenant, total and rows. Its prepared mode sends each command by itself. */
const pgbenchScript = (customer: number, from: string, to: string): string => `
begin;
set local role counterfoil_app;
select set_config('app.customer_id', '${customer}', true), set_config('app.reseller_id', '2204', true);
${bareStatements(customer, from, to)}commit;
`

/** The two statements of a page. */
const bareStatements = (
  customer: number,
  from: string,
  to: string,
): string => `select sum(k.records) from usage_day k where k.customer_id = ${customer} and k.day between '${from}' and '${to}';
select u.usage_at, i.service_item, i.description, u.service_item2, u.service_item3, u.site, u.units, u.price, t.description, u.cost_centre
 from (select u.* from usage_record u where u.customer_id = ${customer} and u.usage_at >= '${from} 00:00+00' and u.usage_at < timestamptz '${to} 00:00+00' + interval '1 day' order by u.usage_at desc, u.id desc limit 100) u
 left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id join record_type t on t.id = u.record_type_id order by u.usage_at desc, u.id desc;
`

const pgbench = async (databaseUrl: string, script: string, clients: number): Promise<{ perSecond: number; ms: number }> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pgbench-'))
  const file = join(folder, 'page.sql')
  writeFileSync(file, script)
  const url = new URL(databaseUrl)
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '1',
    '-T',
    String(SECONDS),
    '-f',
    file,
    '-h',
    url.hostname,
    '-p',
    url.port,
    '-U',
    url.username,
    url.pathname.slice(1),
  ]
  const { stdout } = await promisify(execFile)(join(postgresBinaries() ?? '', 'pgbench'), args, {
    env: { ...process.env, PGPASSWORD: url.password },
  })
  return { perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]), ms: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]) }
}

interface Span {
  readonly from: string
  readonly to: string
}

const path = ({ from, to }: Span, more: Record<string, string> = {}): string =>
  `/v1/ec/usage?${new URLSearchParams({ dateFrom: from, dateTo: to, ...more })}`

const p50 = async (sender: Client, headers: Record<string, string>, address: string): Promise<number> =>
  percentile((await closedLoop(sender, { path: address, headers }, { clients: 1, seconds: 1 })).ms, 0.5)

/** Pages of usage through the whole server, held against pgbench's own transaction and against one another, interleaved. */
export const pageFindings = async (
  { server, settings }: World,
  adminUrl: string,
  seeded: SeededUsage,
  today: string,
): Promise<Finding[]> => {
  const month = { from: `${today.slice(0, 8)}01`, to: today }
  const years = { from: `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, to: today }
  return [
    ...(await rates(server.url, settings['DATABASE_URL'] ?? '', adminUrl, seeded, month, years)),
    ...(await ratios(server.url, seeded, month, years)),
  ]
}

const rates = async (
  url: string,
  databaseUrl: string,
  adminUrl: string,
  { biggest }: SeededUsage,
  month: Span,
  years: Span,
): Promise<Finding[]> => {
  const headers = await signedIn(url, 'demo', biggest.id)
  const many = client(url, 16)
  const one = client(url, 1)
  const script = pgbenchScript(biggest.id, month.from, month.to)
  const bare = bareStatements(biggest.id, month.from, month.to)
  const bareRate: number[] = []
  const rate: number[] = []
  const latency: number[] = []
  const long: number[] = []
  const absolute: number[] = []
  const plain: number[] = []
  const bareServer = await bareFastify((await one.send({ path: path(month), headers })).body)
  const bareMany = client(bareServer.url, 16)
  await closedLoop(many, { path: path(month), headers }, { clients: 16, seconds: 2 })
  for (let round = 0; round < ROUNDS; round += 1) {
    const limit = await pgbench(databaseUrl, script, 16)
    const limitBare = await pgbench(adminUrl, bare, 16)
    const ours = await closedLoop(many, { path: path(month), headers }, { clients: 16, seconds: SECONDS })
    const wide = await closedLoop(many, { path: path(years), headers }, { clients: 16, seconds: SECONDS })
    const alone = await pgbench(databaseUrl, script, 1)
    plain.push(ours.perSecond / (await closedLoop(bareMany, { path: '/' }, { clients: 16, seconds: SECONDS })).perSecond)
    rate.push(ours.perSecond / limit.perSecond)
    bareRate.push(ours.perSecond / limitBare.perSecond)
    absolute.push(ours.perSecond)
    long.push(ours.perSecond / wide.perSecond)
    latency.push((await p50(one, headers, path(month))) / alone.ms)
  }
  for (const sender of [many, one, bareMany]) sender.close()
  bareServer.stop()
  return [
    atLeast('Month pages a second at 16 clients : the same bytes from a bare Fastify', median(plain), 0, '×'),
    atLeast(
      'P1 Month pages a second at 16 clients : pgbench, the same transaction',
      median(rate),
      0.5,
      '×',
      ` (${median(absolute).toFixed(0)} a second)`,
    ),
    atLeast('P1 The same : pgbench, the two bare statements', median(bareRate), 0.4, '×'),
    atMost('P1 Month page p50 at one client : pgbench', median(latency), 2, '×'),
    atMost('P3 24 months : month, at 16 clients', median(long), 1.7, '×'),
  ]
}

const ratios = async (url: string, { biggest, small }: SeededUsage, month: Span, years: Span): Promise<Finding[]> => {
  const headers = await signedIn(url, 'demo', biggest.id)
  const smallHeaders = await signedIn(url, 'demo', small.id)
  const sender = client(url, 1)
  const lastPage = String(Math.max(1, Math.min(5_000, Math.floor(biggest.rows / 100))))
  const cases: Record<string, { headers: Record<string, string>; path: string }> = {
    month: { headers, path: path(month) },
    years: { headers, path: path(years) },
    deep: { headers, path: path(years, { pageNumber: lastPage }) },
    service: { headers, path: path(years, { service: '902' }) },
    type: { headers, path: path(years, { recordType: '9012' }) },
    agreement: { headers, path: path(years, { agreement: '50000001' }) },
    price: { headers, path: path(month, { sort: 'price' }) },
    priceDeep: { headers, path: path(month, { sort: 'price', pageNumber: '200' }) },
    itemName: { headers, path: path(month, { sort: 'serviceItemName', order: 'asc' }) },
    small: { headers: smallHeaders, path: path(month) },
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, { headers: who, path: address }] of Object.entries(cases)) (times[name] ??= []).push(await p50(sender, who, address))
  sender.close()
  const ms = (name: string): number => median(times[name] ?? [])
  const against = (what: string, name: string, base: string, limit: number): Finding =>
    atMost(
      what,
      median((times[name] ?? []).map((value, at) => value / (times[base]?.[at] ?? Number.NaN))),
      limit,
      '×',
      ` (${ms(base).toFixed(2)} → ${ms(name).toFixed(2)} ms)`,
    )
  return [
    against(`P3 Page ${lastPage} of 24 months : page 1`, 'deep', 'years', 2),
    against('P3 24 months of a service : all', 'service', 'years', 2),
    against('P3 24 months of a record type : all', 'type', 'years', 2),
    against('P3 24 months of an agreement : all', 'agreement', 'years', 2),
    against('P4 Page 200 by price : page 1 by price', 'priceDeep', 'price', 2),
    atMost('P4 Month by service item name, p50', ms('itemName'), 3, 'ms'),
    against('Small customer : biggest customer, month', 'small', 'month', 1.2),
  ]
}
