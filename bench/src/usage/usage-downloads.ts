import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setInterval } from 'node:timers'
import { postgresBinaries } from '../../../server/src/test-bench/postgres-binaries.ts'
import { atLeast, atMost, type Finding, median, percentile } from '../harness/findings.ts'
import { client, closedLoop } from '../harness/http-load.ts'
import type { SeededUsage } from './usage-seed.ts'
import { signedIn, type World } from '../harness/world.ts'

const ROUNDS = 3
const DEFUSED = (column: string): string => `case when ${column} ~ '^[=+@|\\t\\r-]' then '''' || ${column} else nullif(${column}, '') end`

/** What the download writes, as one statement that psql may copy out: joined names, rounded figures, whole days, defused texts. */
const copyOf = (customer: number, from: string, to: string): string =>
  `copy (select ${DEFUSED('i.service_item')}, ${DEFUSED('u.service_item2')}, ${DEFUSED('u.service_item3')}, ${DEFUSED('t.description')}, round(u.units, 2),
    ${DEFUSED('i.description')}, ${DEFUSED('u.site')}, (u.usage_at at time zone 'UTC')::date, round(u.price, 4), ${DEFUSED('u.cost_centre')}
  from usage_record u left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id join record_type t on t.id = u.record_type_id
  where u.customer_id = ${customer} and u.usage_at >= '${from} 00:00+00' and u.usage_at < timestamptz '${to} 00:00+00' + interval '1 day'
  order by u.usage_at desc, u.id desc) to stdout with (format csv)`

/** Seconds that psql takes to copy a customer's records out. */
const copied = async (adminUrl: string, statement: string): Promise<number> => {
  const begun = performance.now()
  const psql = spawn(join(postgresBinaries() ?? '', 'psql'), ['-X', '-q', '-c', statement.replaceAll('\n', ' '), adminUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  psql.stdout.resume()
  await once(psql, 'close')
  return (performance.now() - begun) / 1_000
}

export interface Download {
  readonly seconds: number
  readonly firstByteMs: number
  readonly rows: number
  /** How far the server's memory rose above what it was before, in MB. */
  readonly grownMb: number
}

export const download = async (world: Pick<World, 'server'>, customer: number, from: string, to: string): Promise<Download> => {
  const headers = { ...(await signedIn(world.server.url, 'demo', customer)), 'content-type': 'application/json' }
  const parameters = Object.entries({
    startDate: from,
    endDate: to,
    serviceId: '0',
    recordTypeId: '0',
    agreementId: '0',
    serviceItemId: '0',
  })
  const body = JSON.stringify({ parameters: parameters.map(([name, value]) => ({ name, value })) })
  const before = world.server.rssMb()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, world.server.rssMb())), 100)
  const begun = performance.now()
  const sent = request(new URL('/v1/ec/usage/download', world.server.url), { method: 'POST', headers })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`the download answered ${answer.statusCode}`)
  let firstByteMs = Number.NaN
  let lines = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - begun
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
  }
  clearInterval(watch)
  const rows = Number(answer.headers['x-row-count'])
  if (lines !== rows + 1) throw new Error(`${rows} rows were promised and ${lines - 1} came`)
  return { seconds: (performance.now() - begun) / 1_000, firstByteMs, rows, grownMb: peak - before }
}

/** The download of the biggest customer's two years against COPY by psql, interleaved, and what it does to others' pages. */
export const exportFindings = async (world: World, adminUrl: string, seeded: SeededUsage, from: string, to: string): Promise<Finding[]> => {
  const { biggest, small } = seeded
  const ratios: number[] = []
  const firsts: number[] = []
  const grown: number[] = []
  let rows = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = await copied(adminUrl, copyOf(biggest.id, from, to))
    const ours = await download(world, biggest.id, from, to)
    ratios.push(seconds / ours.seconds)
    firsts.push(ours.firstByteMs)
    grown.push(ours.grownMb)
    rows = ours.rows / ours.seconds
  }
  const page = { path: `/v1/ec/usage?dateFrom=${from}&dateTo=${to}`, headers: await signedIn(world.server.url, 'demo', small.id) }
  const reader = client(world.server.url, 1)
  await closedLoop(reader, page, { clients: 1, seconds: 1 })
  const idle = await closedLoop(reader, page, { clients: 1, seconds: 3 })
  const running = { isOver: false }
  const whole = download(world, biggest.id, from, to).finally(() => (running.isOver = true))
  const busy: number[] = []
  while (!running.isOver) busy.push((await reader.send(page)).ms)
  await whole
  reader.close()
  return [
    atLeast(
      'P5 Rows of a download a second : COPY by psql',
      median(ratios),
      0.8,
      '×',
      ` (${Math.round(rows).toLocaleString('en')} rows a second)`,
    ),
    atMost('P5 First byte of a download', median(firsts), 100, 'ms'),
    atMost("P5 The server's memory rises during a download by", Math.max(...grown), 64, 'MB'),
    atMost("P5 Another customer's page p99 during a download : idle", percentile(busy, 0.99) / percentile(idle.ms, 0.99), 3, '×'),
  ]
}
