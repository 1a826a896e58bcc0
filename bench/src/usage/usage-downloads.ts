import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setInterval } from 'node:timers'
import { postgresBinaries } from '../../../server/test/databases/postgres-binaries.ts'
import { minFinding, maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import type { SeededUsage } from './usage-seed.ts'
import { signInHeaders, type BenchEnvironment } from '../harness/environment.ts'

const REPETITIONS = 3
const escapedColumn = (column: string): string =>
  `case when ${column} ~ '^[=+@|\\t\\r-]' then '''' || ${column} else nullif(${column}, '') end`

/** What the download writes, as one COPY statement for psql: joined names, rounded figures, whole days, texts escaped against formulas. */
const copyStatement = (customer: number, from: string, to: string): string =>
  `copy (select ${escapedColumn('i.service_item')}, ${escapedColumn('u.service_item2')}, ${escapedColumn('u.service_item3')}, ${escapedColumn('t.description')}, round(u.units, 2),
    ${escapedColumn('i.description')}, ${escapedColumn('u.site')}, (u.usage_at at time zone 'UTC')::date, round(u.price, 4), ${escapedColumn('u.cost_centre')}
  from usage_record u left join service_item i on i.customer_id = u.customer_id and i.id = u.service_item_id join record_type t on t.id = u.record_type_id
  where u.customer_id = ${customer} and u.usage_at >= '${from} 00:00+00' and u.usage_at < timestamptz '${to} 00:00+00' + interval '1 day'
  order by u.usage_at desc, u.id desc) to stdout with (format csv)`

/** The seconds that psql takes for the COPY. */
const timePsqlCopy = async (adminUrl: string, statement: string): Promise<number> => {
  const startedAt = performance.now()
  const psql = spawn(join(postgresBinaries() ?? '', 'psql'), ['-X', '-q', '-c', statement.replaceAll('\n', ' '), adminUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  psql.stdout.resume()
  await once(psql, 'close')
  return (performance.now() - startedAt) / 1_000
}

export interface Download {
  readonly seconds: number
  readonly firstByteMs: number
  readonly rows: number
  /** How much the server's memory grew during the download, in MB. */
  readonly grownMb: number
}

export const runDownload = async (
  environment: Pick<BenchEnvironment, 'server'>,
  customer: number,
  from: string,
  to: string,
): Promise<Download> => {
  const headers = { ...(await signInHeaders(environment.server.url, 'demo', customer)), 'content-type': 'application/json' }
  const parameters = Object.entries({
    startDate: from,
    endDate: to,
    serviceId: '0',
    recordTypeId: '0',
    agreementId: '0',
    serviceItemId: '0',
  })
  const body = JSON.stringify({ parameters: parameters.map(([name, value]) => ({ name, value })) })
  const memoryBefore = environment.server.rssMb()
  let peak = memoryBefore
  const watch = setInterval(() => (peak = Math.max(peak, environment.server.rssMb())), 100)
  const startedAt = performance.now()
  const outgoing = request(new URL('/v1/ec/usage/download', environment.server.url), { method: 'POST', headers })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the download answered ${response.statusCode}`)
  let firstByteMs = Number.NaN
  let lines = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - startedAt
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  clearInterval(watch)
  const rows = Number(response.headers['x-row-count'])
  if (lines !== rows + 1) throw new Error(`${rows} rows were promised and ${lines - 1} came`)
  return { seconds: (performance.now() - startedAt) / 1_000, firstByteMs, rows, grownMb: peak - memoryBefore }
}

/** Measures the download of the biggest customer's two years against COPY by psql, interleaved, and how much it slows down other pages. */
export const measureDownloads = async (
  environment: BenchEnvironment,
  adminUrl: string,
  seeded: SeededUsage,
  from: string,
  to: string,
): Promise<Finding[]> => {
  const { biggest, small } = seeded
  const ratios: number[] = []
  const firstByteMs: number[] = []
  const grownMb: number[] = []
  let rowsPerSecond = 0
  for (let round = 0; round < REPETITIONS; round += 1) {
    const copySeconds = await timePsqlCopy(adminUrl, copyStatement(biggest.id, from, to))
    const measured = await runDownload(environment, biggest.id, from, to)
    ratios.push(copySeconds / measured.seconds)
    firstByteMs.push(measured.firstByteMs)
    grownMb.push(measured.grownMb)
    rowsPerSecond = measured.rows / measured.seconds
  }
  const pageCall = {
    path: `/v1/ec/usage?dateFrom=${from}&dateTo=${to}`,
    headers: await signInHeaders(environment.server.url, 'demo', small.id),
  }
  const client = openClient(environment.server.url, 1)
  await runClosedLoop(client, pageCall, { clients: 1, seconds: 1 })
  const idle = await runClosedLoop(client, pageCall, { clients: 1, seconds: 3 })
  const running = { isOver: false }
  const downloading = runDownload(environment, biggest.id, from, to).finally(() => (running.isOver = true))
  const busyMs: number[] = []
  while (!running.isOver) busyMs.push((await client.send(pageCall)).ms)
  await downloading
  client.close()
  return [
    minFinding(
      'Rows of a download a second : COPY by psql',
      median(ratios),
      0.8,
      '×',
      ` (${Math.round(rowsPerSecond).toLocaleString('en')} rows a second)`,
    ),
    maxFinding('First byte of a download', median(firstByteMs), 100, 'ms'),
    maxFinding("The server's memory rises during a download by", Math.max(...grownMb), 64, 'MB'),
    maxFinding("Another customer's page p99 during a download : idle", percentile(busyMs, 0.99) / percentile(idle.ms, 0.99), 3, '×'),
  ]
}
