import { setTimeout } from 'node:timers/promises'
import { type Finding, maxFinding, median, percentile } from '../harness/findings.ts'
import { type HttpCall, type HttpClient, openClient } from '../harness/http-load.ts'
import { startServer } from '../harness/running-server.ts'
import { type BenchWorld, signInHeaders, signInPeople } from '../harness/world.ts'

/** As many as keep the server at its full load: more of them do not get more answers. */
const CLIENTS_AT_FULL_LOAD = 64
const FACTORS = [5, 25] as const
const SECONDS = 10
const CUSTOMER = 220_401
const PORT = Number(process.env['BENCH_PORT'] ?? '3190') + 1
/** A payment that does not exist: whoever asks after a payment is not sent away. */
const PAYMENT_PATH = '/v1/ec/payments/intents/00000000-0000-4000-8000-000000000000'
const PAYMENT_PAUSE_MS = 100

interface LoadFigures {
  readonly answeredMs: readonly number[]
  readonly refusedMs: readonly number[]
  readonly paymentMs: readonly number[]
  readonly refusedPayments: number
  readonly peakMb: number
  readonly recoveryMs: number
}

/**
 * Measures what becomes of those who are let in, and how soon the others are refused, while 5 and 25 times as many people as the server
 * can answer read pages. Who is refused comes again after the time that the refusal names.
 */
export const measureOverload = async ({ postgres, settings }: BenchWorld): Promise<Finding[]> => {
  // All clients come from this machine, as from a proxy.
  const server = await startServer(PORT, { ...settings, TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const maxClients = CLIENTS_AT_FULL_LOAD * Math.max(...FACTORS)
    const people = await signInPeople(server.url, postgres.adminUrl, CUSTOMER, maxClients)
    const calls = people.map((headers, at): HttpCall => ({ path: at % 2 === 0 ? '/v1/ec/invoices' : '/v1/ec/opening-balance', headers }))
    const payer = await signInHeaders(server.url, 'us', 300_101)
    const run = (clients: number): Promise<LoadFigures> => runLoad(server, calls.slice(0, clients), { path: PAYMENT_PATH, headers: payer })
    await run(CLIENTS_AT_FULL_LOAD)
    const full = await run(CLIENTS_AT_FULL_LOAD)
    const fullP99 = percentile(full.answeredMs, 0.99)
    const findings: Finding[] = []
    for (const factor of FACTORS) findings.push(...toFindings(factor, fullP99, await run(factor * CLIENTS_AT_FULL_LOAD)))
    return findings
  } finally {
    await server.stop()
  }
}

const toFindings = (factor: number, fullP99: number, figures: LoadFigures): Finding[] => {
  const { answeredMs, refusedMs, paymentMs, refusedPayments, peakMb, recoveryMs } = figures
  const at = `${factor} × full load`
  return [
    maxFinding(
      `Page p99 of those let in at ${at} : at full load`,
      percentile(answeredMs, 0.99) / fullP99,
      2,
      '×',
      ` (${percentile(answeredMs, 0.99).toFixed(0)} : ${fullP99.toFixed(0)} ms; ${answeredMs.length} answered, ${refusedMs.length} refused)`,
    ),
    maxFinding(`A refusal at ${at}, p99`, percentile(refusedMs, 0.99), 50, 'ms', ` (p50 ${median(refusedMs).toFixed(1)})`),
    maxFinding(
      `Payments refused at ${at}`,
      refusedPayments,
      0,
      '',
      ` (${paymentMs.length} asked, p99 ${percentile(paymentMs, 0.99).toFixed(0)} ms)`,
    ),
    maxFinding(`Memory at ${at}`, peakMb, 512, 'MB'),
    maxFinding(`The first page after ${at}`, recoveryMs, 2_000, 'ms'),
  ]
}

const runLoad = async (
  server: { readonly url: string; rssMb(): number },
  calls: readonly HttpCall[],
  payment: HttpCall,
): Promise<LoadFigures> => {
  const [client, payingClient] = [openClient(server.url, calls.length), openClient(server.url, 1)]
  const figures = { answeredMs: [] as number[], refusedMs: [] as number[], paymentMs: [] as number[], refusedPayments: 0, peakMb: 0 }
  const endsAt = performance.now() + SECONDS * 1_000
  const isOver = (): boolean => performance.now() >= endsAt
  const read = async (call: HttpCall): Promise<void> => {
    while (!isOver()) {
      const { status, retryAfterMs, ms } = await sendPolitely(client, call)
      ;(status === 200 ? figures.answeredMs : figures.refusedMs).push(ms)
      if (retryAfterMs > 0) await setTimeout(retryAfterMs)
    }
  }
  const pay = async (): Promise<void> => {
    while (!isOver()) {
      const { status, ms } = await payingClient.send(payment)
      figures.paymentMs.push(ms)
      if (status !== 404) figures.refusedPayments += 1
      figures.peakMb = Math.max(figures.peakMb, server.rssMb())
      await setTimeout(PAYMENT_PAUSE_MS)
    }
  }
  await Promise.all([...calls.map(read), pay()])
  const stoppedAt = performance.now()
  while ((await payingClient.send(calls[0] as HttpCall)).status !== 200) await setTimeout(10)
  const recoveryMs = performance.now() - stoppedAt
  client.close()
  payingClient.close()
  return { ...figures, recoveryMs }
}

/** Sends a call. @returns how long to wait before the next one, too, where it was refused */
const sendPolitely = async (client: HttpClient, call: HttpCall): Promise<{ status: number; ms: number; retryAfterMs: number }> => {
  const { status, ms, body, headers } = await client.send(call)
  if (status !== 200 && status !== 503) throw new Error(`${call.path} answered ${status}: ${body.toString().slice(0, 200)}`)
  return { status, ms, retryAfterMs: Number(headers['retry-after'] ?? 0) * 1_000 }
}
