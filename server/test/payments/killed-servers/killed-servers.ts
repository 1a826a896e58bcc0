import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../../src/config.ts'
import { type AppContext, openContext } from '../../../src/context.ts'
import { addMs } from '../../../src/kit/clock.ts'
import { openLog } from '../../../src/kit/log.ts'
import { addTenant, addInvoice, listPaymentLinks, queryAsAdministrator } from '../../support/people.ts'
import type { TestSandbox } from '../sandbox.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'
import { connectReseller } from '../providers/provider-drivers.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'

const SERVER = fileURLToPath(new URL('../../../bin/counterfoil.js', import.meta.url))
const MINUTE = 60_000
/** How many new payers there are in each round, and how many retry at most. */
const PAYERS = 3

export interface KillCounts {
  kills: number
  /** What payers saw: paid, rejected for now, or no answer. */
  paid: number
  rejected: number
  interrupted: number
  charges: number
  double: number
  lost: number
  stuck: number
  /** Payments that the provider does not show and of which finding nothing proves nothing: an operator decides. */
  queued: number
}

/** A server's settings, besides this process's environment. */
export type ServerSettings = Readonly<Record<string, string>>

/** The settings of a server on its own folder or database. */
export const serverSettings = (where: ServerSettings): ServerSettings => ({
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  MASTER_KEY: randomBytes(32).toString('hex'),
  LIMITS:
    'page=1000000/1s user=1000000/1s anonymous=1000000/1s address=1000000/1s network=1000000/1s account=1000000/1s payment=1000000/1s payer=1000000/1s paylink=1000000/1s slowmode=1000000/1s paypage=1000000/1s',
  PAYMENT_TIMEOUT_MS: '5000',
  ...where,
})

/** Runs `work` with the same data in this process, while no server uses it. */
export const withContext = async <T>(settings: ServerSettings, work: (context: AppContext) => Promise<T>): Promise<T> => {
  const context = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }), openLog('silent'))
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

/** Starts a server on any free port. */
export const startServer = async (settings: ServerSettings): Promise<{ child: ChildProcess; address: string }> => {
  const child = spawn(process.execPath, [SERVER, 'serve'], { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    child.stdout.on('data', (words: Buffer) => {
      const found = /"address":"([^"]+)"/.exec(words.toString())?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return { child, address }
}

interface PaymentLink {
  readonly resellerId: number
  readonly token: string
  readonly number: string
}

/**
 * Starts a server again and again on the same data, lets several customers pay by link, and kills it (SIGKILL) at a random moment. Payers
 * without an answer retry on the next server. In the end every outcome is looked up and the ledgers are compared.
 */
export const killServers = async (
  settings: ServerSettings,
  sandbox: TestSandbox,
  provider: ProviderDriver,
  kills: number,
): Promise<KillCounts> => {
  const counts: KillCounts = { kills: 0, paid: 0, rejected: 0, interrupted: 0, charges: 0, double: 0, lost: 0, stuck: 0, queued: 0 }
  const unpaid = await withContext(settings, (context) => createInvoices(context, sandbox, provider, (kills + 2) * PAYERS))
  const retries = unpaid.splice(0, PAYERS)
  let spanMs = 0
  for (let round = 0; round <= kills; round += 1) {
    const { child, address } = await startServer(settings)
    const ended = once(child, 'exit')
    // More at once would only delay each other until the server dies.
    const links = [...retries.splice(0, PAYERS), ...unpaid.splice(0, PAYERS)]
    const begun = performance.now()
    const pending = Promise.all(links.map((link) => payByLink(address, sandbox, provider, link)))
    // The first server survives, to measure how long paying takes; the others die at a random moment of that.
    if (round === 0) spanMs = await pending.then(() => (performance.now() - begun) * 1.2)
    else await setTimeout(randomInt(1, Math.ceil(spanMs)))
    child.kill('SIGKILL')
    await ended
    counts.kills += round === 0 ? 0 : 1
    const answers = await pending
    retries.push(...links.filter((_, at) => answers[at] !== 'paid'))
    counts.paid += answers.filter((one) => one === 'paid').length
    counts.rejected += answers.filter((one) => one === 'refused').length
    counts.interrupted += answers.filter((one) => one === 'cut').length
  }
  return withContext(settings, async (context) => {
    await settleOutcomes(context)
    return { ...counts, ...(await compareWithSandbox(context, sandbox)) }
  })
}

const createInvoices = async (
  context: AppContext,
  sandbox: TestSandbox,
  provider: ProviderDriver,
  count: number,
): Promise<PaymentLink[]> => {
  const { resellerId, customerId } = await addTenant(context, {
    reseller: { payment_type: provider.type, payments_enabled: true, payments_bulk: true, payment_raw_card: true },
  })
  await connectReseller(context, sandbox, provider, resellerId)
  for (let at = 0; at < count; at += 1) await addInvoice(context, resellerId, customerId, { currency: provider.currency })
  return (await listPaymentLinks(context)).map((link) => ({ ...link, resellerId }))
}

const payByLink = async (
  address: string,
  sandbox: TestSandbox,
  provider: ProviderDriver,
  { token, number, resellerId }: PaymentLink,
): Promise<'paid' | 'refused' | 'cut'> => {
  try {
    const card = await provider.cardFields({
      sandbox,
      resellerId,
      startFields: async () => {
        const answer = await fetch(`${address}/v1/ec/pay/${token}/card-fields`, { method: 'POST' })
        return ((await answer.json()) as { fields: Record<string, string> }).fields
      },
      loadTemplate: async () => (await fetch(`${address}/v1/ec/pay/${token}/template`)).text(),
    })
    const body = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardHolder: 'Ada Payer', ...card }
    const answer = await fetch(`${address}/v1/ec/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await answer.text()
    return answer.ok ? 'paid' : 'refused'
  } catch {
    return 'cut'
  }
}

/** Runs the worker over the following hours. */
export const settleOutcomes = async (context: AppContext): Promise<void> => {
  let aheadMs = 0
  const payments = { ...context, clock: () => addMs(context.clock(), aheadMs), onMailQueued: () => undefined }
  for (const minutes of [0, 3, 6, 16, 66, 200, 800, ...Array.from({ length: 7 }, () => 1_500)]) {
    aheadMs += minutes * MINUTE
    await processWebhookEvents(payments)
    await sweepAttempts(payments)
  }
}

/** Compares every attempt with the sandbox's ledger, to the cent. */
export const compareWithSandbox = async (
  context: AppContext,
  sandbox: TestSandbox,
): Promise<Pick<KillCounts, 'charges' | 'double' | 'lost' | 'stuck' | 'queued'>> => {
  const charges = (await sandbox.ledger()).filter(({ status }) => status === 'succeeded')
  const attempts = await queryAsAdministrator<{
    merchantReference: string
    status: string
    invoices: number[]
    booked: number
    arePaid: boolean
  }>(
    context,
    `select a.merchant_reference as "merchantReference", a.status, array_agg(i.invoice_id::int) as invoices, bool_and(v.status = 11) as "arePaid",
       (select coalesce(sum(b.amount_minor), 0)::int from payment_allocation b where b.attempt_id = a.id) as booked
     from payment_attempt a join payment_attempt_item i on i.attempt_id = a.id join invoice v on v.id = i.invoice_id
     group by a.id, a.merchant_reference, a.status`,
  )
  const charged = new Map(charges.map(({ reference, amount }) => [reference, amount]))
  const paidInvoices = attempts.filter(({ merchantReference }) => charged.has(merchantReference)).flatMap(({ invoices }) => invoices)
  const isRight = ({ merchantReference, status, booked, arePaid }: (typeof attempts)[number]): boolean =>
    status === 'succeeded' && booked === charged.get(merchantReference) && arePaid
  const booked = attempts.filter((attempt) => attempt.booked !== 0)
  return {
    charges: charges.length,
    double: paidInvoices.length - new Set(paidInvoices).size + (charges.length - charged.size),
    lost:
      charges.length -
      attempts.filter((attempt) => charged.has(attempt.merchantReference) && isRight(attempt)).length +
      booked.filter(({ merchantReference }) => !charged.has(merchantReference)).length,
    stuck: attempts.filter(({ status }) => ['created', 'submitting', 'requires_action', 'processing', 'unknown'].includes(status)).length,
    queued: attempts.filter(({ status }) => status === 'manual').length,
  }
}
