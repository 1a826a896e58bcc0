import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import { type UsageFixture, seedFixture } from '../usage/usage.ts'
import { signInHeaders, startEnvironment, type BenchEnvironment } from '../harness/environment.ts'

const REPETITIONS = 5

/** The median milliseconds of each query, and the server's memory after all of them. */
type Curve = Readonly<Record<string, number>>

const MEMORY = 'memory of the server, MB'
/** The maximal growth factor from the smallest to the largest size. */
const MAX_GROWTH: Readonly<Record<string, number>> = {
  'page 1 of a month, with its total': 1.7,
  'page 1 of 24 months, with its total': 1.7,
  'total of 24 months of one service': 1.5,
  'the deepest page of 24 months': 1.7,
  'page 1 of a small customer': 1.7,
  [MEMORY]: 1.2,
}
const SORTED = 'page 1 of a month by price'

/** Measures the same queries over growing numbers of records, each on its own database (SCALING_ROWS, default 100000,1000000). */
export const measureScaling = async (): Promise<Finding[]> => {
  const sizes = (process.env['SCALING_ROWS'] ?? '100000,1000000').split(',').map(Number)
  const curves: Curve[] = []
  for (const rows of sizes) curves.push(await measureSize(rows))
  const [smallest, largest] = [curves[0] ?? {}, curves.at(-1) ?? {}]
  const growth = `${sizes[0]?.toLocaleString('en')} → ${sizes.at(-1)?.toLocaleString('en')} records`
  return Object.keys(smallest).map((name) =>
    maxFinding(
      `${growth}: ${name}`,
      (largest[name] ?? Number.NaN) / (smallest[name] ?? Number.NaN),
      MAX_GROWTH[name] ?? Number.POSITIVE_INFINITY,
      '×',
      ` (${curves.map((curve) => curve[name]?.toPrecision(3)).join(' → ')})`,
    ),
  )
}

const measureSize = async (rows: number): Promise<Curve> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-scaling-'))
  const environment = await startEnvironment(dataDir)
  try {
    return await measureCurve(environment, await seedFixture(environment, rows))
  } finally {
    await environment.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const measureCurve = async (environment: BenchEnvironment, { seeded, today }: Pick<UsageFixture, 'seeded' | 'today'>): Promise<Curve> => {
  const client = openClient(environment.server.url, 1)
  try {
    const years = { dateFrom: `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, dateTo: today }
    const month = { dateFrom: `${today.slice(0, 8)}01`, dateTo: today }
    const [bigHeaders, smallHeaders] = [
      await signInHeaders(environment.server.url, 'demo', seeded.biggest.id),
      await signInHeaders(environment.server.url, 'demo', seeded.small.id),
    ]
    const queries: Record<string, { headers: Record<string, string>; query: Record<string, string> }> = {
      'page 1 of a month, with its total': { headers: bigHeaders, query: month },
      'page 1 of 24 months, with its total': { headers: bigHeaders, query: years },
      'total of 24 months of one service': { headers: bigHeaders, query: { ...years, service: '902', pageSize: '1' } },
      'the deepest page of 24 months': {
        headers: bigHeaders,
        query: { ...years, pageNumber: String(Math.floor(seeded.biggest.rows / 100)) },
      },
      [SORTED]: { headers: bigHeaders, query: { ...month, sort: 'price' } },
      'page 1 of a small customer': { headers: smallHeaders, query: years },
    }
    const times: Record<string, number[]> = {}
    for (let round = 0; round <= REPETITIONS; round += 1)
      for (const [name, { headers, query }] of Object.entries(queries)) {
        const call = { path: `/v1/ec/usage?${new URLSearchParams(query)}`, headers }
        const { ms } = await runClosedLoop(client, call, { clients: 1, seconds: 1 })
        if (round > 0) (times[name] ??= []).push(percentile(ms, 0.5)) // the first round warms up
      }
    return { ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, median(ms)])), [MEMORY]: environment.server.rssMb() }
  } finally {
    client.close()
  }
}
