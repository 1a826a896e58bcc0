import { setTimeout } from 'node:timers/promises'
import { maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { type HttpCall, type HttpClient, openClient, runClosedLoop } from '../harness/http-load.ts'
import { signInHeaders, type BenchEnvironment } from '../harness/environment.ts'

const REPETITIONS = 5
const SECONDS = 3
/** One user keeps so many sorts of its usage under way. */
const FLOOD = 100
/** As the refusal says. */
const RETRY_AFTER_MS = 1_000

/** Measures how much one user's flood of usage sorts slows down another user's page, and how long it takes to be refused. */
export const measureNeighbour = async ({ server }: BenchEnvironment): Promise<Finding[]> => {
  const [floodClient, pageClient] = [openClient(server.url, FLOOD), openClient(server.url, 1)]
  const pageCall = { path: '/v1/ec/invoices', headers: await signInHeaders(server.url, 'us', 300101) }
  const [to, from] = [new Date(), new Date(Date.now() - 365 * 86_400_000)].map((at) => at.toISOString().slice(0, 10))
  const sort = {
    path: `/v1/ec/usage?dateFrom=${from}&dateTo=${to}&sort=price&order=desc`,
    headers: await signInHeaders(server.url, 'demo', 220_401),
  }
  const slowdowns: number[] = []
  const refusals: number[] = []
  let worst = 0
  await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: 1 })
  for (let round = 0; round < REPETITIONS; round += 1) {
    const idle = await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: SECONDS })
    const flood = startFlood(floodClient, sort)
    const busy = await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: SECONDS })
    refusals.push(...(await flood.stop()))
    slowdowns.push(percentile(busy.ms, 0.99) / percentile(idle.ms, 0.99))
    worst = Math.max(worst, ...busy.ms)
  }
  floodClient.close()
  pageClient.close()
  return [
    maxFinding(
      `Page p99 while another user sorts usage ${FLOOD} times at once : idle`,
      median(slowdowns),
      3,
      '×',
      ` (rounds ${slowdowns.map((s) => s.toFixed(2)).join(', ')}; ${refusals.length} sorts refused, p50 ${median(refusals).toFixed(0)} ms; longest page ${worst.toFixed(0)} ms)`,
    ),
  ]
}

/** Keeps this many of a call under way. @returns a function that stops it and gives the milliseconds of each refused call */
const startFlood = (client: HttpClient, call: HttpCall): { stop(): Promise<number[]> } => {
  const refused: number[] = []
  const over = new AbortController()
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status, ms } = await client.send(call)
      if (status !== 429) continue
      refused.push(ms)
      await setTimeout(RETRY_AFTER_MS)
    }
  }
  const all = Promise.all(Array.from({ length: FLOOD }, run))
  return {
    stop: async () => {
      over.abort()
      await all
      return refused
    },
  }
}
