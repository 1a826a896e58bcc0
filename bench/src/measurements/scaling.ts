import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Finding, median, percentile } from '../harness/findings.ts'
import { client, closedLoop } from '../harness/http-load.ts'
import { type Ground, seed } from '../usage/usage.ts'
import { signedIn, startWorld, type World } from '../harness/world.ts'

const ROUNDS = 5

/** Milliseconds (median) of each question, and the server's memory after all of them. */
type Curve = Readonly<Record<string, number>>

const MEMORY = 'memory of the server, MB'
/** What may grow by how much from the smallest to the largest. */
const LIMITS: Readonly<Record<string, number>> = {
  'page 1 of a month, with its total': 1.7,
  'page 1 of 24 months, with its total': 1.7,
  'total of 24 months of one service': 1.5,
  'the deepest page of 24 months': 1.7,
  'page 1 of a small customer': 1.7,
  [MEMORY]: 1.2,
}
const SORTED = 'page 1 of a month by price'

/** The same questions over ever more records, each in a world of its own (SCALING_ROWS, 100000,1000000 where it is missing). */
export const scalingFindings = async (): Promise<Finding[]> => {
  const sizes = (process.env['SCALING_ROWS'] ?? '100000,1000000').split(',').map(Number)
  const curves: Curve[] = []
  for (const rows of sizes) curves.push(await curveOf(rows))
  const [least, most] = [curves[0] ?? {}, curves.at(-1) ?? {}]
  const growth = `${sizes[0]?.toLocaleString('en')} → ${sizes.at(-1)?.toLocaleString('en')} records`
  return Object.keys(least).map((name) =>
    atMost(
      `P8 ${growth}: ${name}`,
      (most[name] ?? Number.NaN) / (least[name] ?? Number.NaN),
      LIMITS[name] ?? Number.POSITIVE_INFINITY,
      '×',
      ` (${curves.map((curve) => curve[name]?.toPrecision(3)).join(' → ')})`,
    ),
  )
}

const curveOf = async (rows: number): Promise<Curve> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-scaling-'))
  const world = await startWorld(dataDir)
  try {
    return await curveOn(world, await seed(world, rows))
  } finally {
    await world.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const curveOn = async (world: World, { seeded, today }: Pick<Ground, 'seeded' | 'today'>): Promise<Curve> => {
  const sender = client(world.server.url, 1)
  try {
    const years = { dateFrom: `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, dateTo: today }
    const month = { dateFrom: `${today.slice(0, 8)}01`, dateTo: today }
    const [big, small] = [
      await signedIn(world.server.url, 'demo', seeded.biggest.id),
      await signedIn(world.server.url, 'demo', seeded.small.id),
    ]
    const questions: Record<string, { headers: Record<string, string>; query: Record<string, string> }> = {
      'page 1 of a month, with its total': { headers: big, query: month },
      'page 1 of 24 months, with its total': { headers: big, query: years },
      'total of 24 months of one service': { headers: big, query: { ...years, service: '902', pageSize: '1' } },
      'the deepest page of 24 months': { headers: big, query: { ...years, pageNumber: String(Math.floor(seeded.biggest.rows / 100)) } },
      [SORTED]: { headers: big, query: { ...month, sort: 'price' } },
      'page 1 of a small customer': { headers: small, query: years },
    }
    const times: Record<string, number[]> = {}
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [name, { headers, query }] of Object.entries(questions)) {
        const call = { path: `/v1/ec/usage?${new URLSearchParams(query)}`, headers }
        const { ms } = await closedLoop(sender, call, { clients: 1, seconds: 1 })
        if (round > 0) (times[name] ??= []).push(percentile(ms, 0.5)) // the first round warms up
      }
    return { ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, median(ms)])), [MEMORY]: world.server.rssMb() }
  } finally {
    sender.close()
  }
}
