import { setTimeout } from 'node:timers/promises'
import { type Finding, maxFinding, median, percentile } from '../harness/findings.ts'
import { type HttpCall, openClient } from '../harness/http-load.ts'
import { type ClientsFigures, runClients } from '../harness/many-clients.ts'
import { type RunningServer, startServer } from '../harness/running-server.ts'
import { type BenchEnvironment, signInHeaders, signInPeople } from '../harness/environment.ts'

/** As many as keep the server at its full load: more of them do not get more answers. */
const CLIENTS_AT_FULL_LOAD = 64
const FACTORS = [5, 25] as const
const SECONDS = 10
const CUSTOMER = 220_401
const PORT = Number(process.env['BENCH_PORT'] ?? '3190') + 1
/** A payment that does not exist: whoever asks after a payment is not sent away. */
const PAYMENT_PATH = '/v1/ec/payments/intents/00000000-0000-4000-8000-000000000000'
const PAYMENT_PAUSE_MS = 100

interface LoadFigures extends ClientsFigures {
  readonly paymentMs: readonly number[]
  readonly refusedPayments: number
  readonly peakMb: number
  readonly recoveryMs: number
}

/**
 * Measures what becomes of those who are let in, and how soon the others are refused: while 5 and 25 times as many people as the server
 * can answer read pages, who come again after the time that a refusal names; and while 5 and 25 times as many requests a second are sent
 * as it can answer, whatever it answers.
 */
export const measureOverload = async ({ postgres, settings }: BenchEnvironment): Promise<Finding[]> => {
  // All clients come from this machine, as from a proxy.
  const server = await startServer(PORT, { ...settings, TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const maxClients = CLIENTS_AT_FULL_LOAD * Math.max(...FACTORS)
    const database = new URL(postgres.adminUrl)
    database.pathname = 'counterfoil'
    const people = await signInPeople(server.url, database.href, CUSTOMER, maxClients)
    const calls = people.map((headers, at): HttpCall => ({ path: at % 2 === 0 ? '/v1/ec/invoices' : '/v1/ec/opening-balance', headers }))
    const payer = await signInHeaders(server.url, 'us', 300_101)
    const run = (clients: number, perSecond: number | null): Promise<LoadFigures> =>
      runLoad(server, { calls: calls.slice(0, clients), perSecond }, { path: PAYMENT_PATH, headers: payer })
    await run(CLIENTS_AT_FULL_LOAD, null)
    const full = await run(CLIENTS_AT_FULL_LOAD, null)
    const capacity = full.answeredMs.length / SECONDS
    const findings: Finding[] = []
    for (const factor of FACTORS)
      findings.push(...toFindings(`${factor} × as many people`, full, await run(factor * CLIENTS_AT_FULL_LOAD, null)))
    for (const factor of FACTORS)
      findings.push(...toFindings(`${factor} × as many requests a second`, full, await run(maxClients, factor * capacity)))
    return findings
  } finally {
    await server.stop()
  }
}

const perSecond = (count: number): string => (count / SECONDS).toFixed(0)

const toFindings = (at: string, full: LoadFigures, figures: LoadFigures): Finding[] => {
  const { answeredMs, refusedMs, unsent, maxRetryAfterS, paymentMs, refusedPayments, peakMb, recoveryMs } = figures
  const [p99, fullP99] = [percentile(answeredMs, 0.99), percentile(full.answeredMs, 0.99)]
  return [
    maxFinding(
      `Page p99 of those let in at ${at} : at full load`,
      p99 / fullP99,
      2,
      '×',
      ` (${p99.toFixed(0)} : ${fullP99.toFixed(0)} ms; ${perSecond(answeredMs.length)} answered a second, ${perSecond(full.answeredMs.length)} at full load)`,
    ),
    maxFinding(
      `A refusal at ${at}, p99`,
      percentile(refusedMs, 0.99),
      50,
      'ms',
      ` (p50 ${median(refusedMs).toFixed(1)}; ${perSecond(refusedMs.length)} a second, ${perSecond(unsent)} more were due and not sent; to come again after ${maxRetryAfterS} s at most)`,
    ),
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
  server: RunningServer,
  load: { readonly calls: readonly HttpCall[]; readonly perSecond: number | null },
  payment: HttpCall,
): Promise<LoadFigures> => {
  const client = openClient(server.url, 1)
  const figures = { paymentMs: [] as number[], refusedPayments: 0, peakMb: 0 }
  const over = new AbortController()
  const pay = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status, ms } = await client.send(payment)
      figures.paymentMs.push(ms)
      if (status !== 404) figures.refusedPayments += 1
      figures.peakMb = Math.max(figures.peakMb, server.rssMb())
      await setTimeout(PAYMENT_PAUSE_MS)
    }
  }
  const paying = pay()
  const clientsFigures = await runClients({ url: server.url, seconds: SECONDS, ...load })
  over.abort()
  const stoppedAt = performance.now()
  while ((await client.send(load.calls[0] as HttpCall)).status !== 200) await setTimeout(10)
  const recoveryMs = performance.now() - stoppedAt
  await paying
  client.close()
  return { ...clientsFigures, ...figures, recoveryMs }
}
