import { setTimeout } from 'node:timers/promises'
import { type Finding, maxFinding } from '../harness/findings.ts'
import { type HttpCall, openClient } from '../harness/http-load.ts'
import type { RunningServer } from '../harness/running-server.ts'
import { type BenchEnvironment, signInCall, signInHeaders } from '../harness/environment.ts'
import { runDownload } from '../usage/usage-downloads.ts'

/** Two users of the demo data, each with a customer. */
const PEOPLE = [
  ['demo', 220_401],
  ['us', 300_101],
] as const
const SECONDS = 60
const CLIENTS = 16

/** Measures how much memory a server that does its jobs itself takes at the most while it is kept busy. */
export const measureMemory = async ({ server }: BenchEnvironment): Promise<Finding[]> => [await busyMemory(server, 'PostgreSQL', 512)]

/** Every kind of work at once: pages, lists, invoices as PDF, sign-ins, downloads one after another, for a minute. @param limitMb what it may take */
export const busyMemory = async (server: RunningServer, database: string, limitMb: number): Promise<Finding> => {
  const [to, from] = [new Date(), new Date(Date.now() - 365 * 86_400_000)].map((at) => at.toISOString().slice(0, 10))
  const client = openClient(server.url, CLIENTS)
  const calls: HttpCall[] = [signInCall('us')]
  for (const [username, customer] of PEOPLE) {
    const headers = await signInHeaders(server.url, username, customer)
    const { body } = await client.send({ path: '/v1/ec/invoices', headers })
    const pdfs = (JSON.parse(body.toString()) as { id: number }[]).slice(0, 3).map(({ id }) => `/v1/ec/invoices/${id}`)
    const usage = `/v1/ec/usage?dateFrom=${from}&dateTo=${to}`
    for (const path of [usage, `${usage}&sort=price`, '/v1/ec/invoices', '/v1/ec/bundle-widget', ...pdfs]) calls.push({ path, headers })
  }
  const over = new AbortController()
  let answered = 0
  const visit = async (first: number): Promise<void> => {
    for (let at = first; !over.signal.aborted; at += 1) {
      const call = calls[at % calls.length]
      if (call === undefined) throw new Error('there is nothing to call')
      const { status } = await client.send(call)
      if (status !== 200 && status !== 429) throw new Error(`${call.path} answered ${status}`)
      answered += 1
    }
  }
  const download = async (): Promise<void> => {
    while (!over.signal.aborted) await runDownload({ server }, PEOPLE[0][1], from ?? '', to ?? '')
  }
  const all = Promise.all([...Array.from({ length: CLIENTS - 1 }, (_, at) => visit(at)), download()])
  let peakMb = 0
  for (let at = 0; at < SECONDS * 10; at += 1) {
    await Promise.race([setTimeout(100), all])
    peakMb = Math.max(peakMb, server.rssMb())
  }
  over.abort()
  await all
  client.close()
  return maxFinding(
    `Memory of a server that is kept busy, its jobs included, on ${database}`,
    peakMb,
    limitMb,
    'MB',
    ` (${answered} requests in ${SECONDS} s)`,
  )
}
