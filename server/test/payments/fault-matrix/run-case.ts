import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../src/kit/api-error.ts'
import { addMs } from '../../../src/kit/clock.ts'
import type { TestContext } from '../../support/test-app.ts'
import { type Account, findAccount } from '../../../src/payments/accounts/accounts.ts'
import { chargeIntent } from '../../../src/payments/engine/charge.ts'
import { cancelAttempt, lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { transactAsSystem } from '../../../src/queue/run-job.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'
import type { Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { createSubmission } from '../../../src/payments/attempts/submission.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { compareLedgers, type ReportedStatus, type LedgerComparison } from '../fault-injection/compare-ledgers.ts'
import { insertPaymentSetup, findNextWorkAt } from '../fault-injection/ledger.queries.ts'
import { FakeProvider } from '../fault-injection/fake-provider.ts'
import type { FaultCase } from '../fault-injection/fault-cases.ts'
import { isBusy, type Server, ServerProcess } from '../fault-injection/crashing-server.ts'
import { isAnswered } from './bring-webhook.ts'
import { Misfortune } from './misfortunes.ts'
import { PausedProvider } from '../paused-provider.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DUE_MINOR = 11_000
const STORED = 'a stored card'
/**
 * When the worker runs: around every limit of the engine, then until debits have settled and been reversed, late webhooks have arrived,
 * and leases of crashed servers have expired.
 */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY, DAY, 2 * DAY, 2 * DAY, 3 * MINUTE])

export interface CaseOutcome extends LedgerComparison {
  /** How many side effects the run had until it crashed, or in all. */
  readonly effects: number
  readonly hasCrashed: boolean
}

/** Pays as the case says, crashes the server where it says, lets time pass, then compares the ledgers. */
export const runCase = async (context: TestContext, payer: CustomerScope, faultCase: FaultCase): Promise<CaseOutcome> => {
  const startedAt = context.clock()
  const run = new FaultRun(context, payer, faultCase)
  try {
    await run.begin()
    await run.pay()
    for (const [at, ms] of WAITS.entries()) {
      await run.runWorker()
      if (at === 0 || at === 3) await run.payAgain()
      context.advance(ms)
    }
    await run.runWorker()
    await run.runWorker()
    return { ...(await run.compare()), effects: run.effects, hasCrashed: run.hasCrashed }
  } finally {
    await run.end()
    context.advance(startedAt.getTime() - context.clock().getTime())
  }
}

class FaultRun {
  readonly #context: TestContext
  readonly #payer: CustomerScope
  readonly #case: FaultCase
  readonly #provider: FakeProvider
  readonly #reported: ReportedStatus[] = []
  readonly #firstServer: ServerProcess
  #server: Server
  #intents: string[] = []
  #invoices: number[] = []
  #nextWorkAt: Promise<Date | null> | null = null
  readonly #accounts = new Map<PaymentsDeps, Promise<Account | null>>()
  readonly #misfortune: Misfortune
  /** What a server works with that never crashes. */
  readonly #calm: PaymentsDeps

  constructor(context: TestContext, payer: CustomerScope, faultCase: FaultCase) {
    this.#context = context
    this.#payer = payer
    this.#case = faultCase
    this.#provider = new FakeProvider(faultCase, context.clock)
    this.#provider.onEarlyWebhook = () => this.#deliver()
    this.#calm = this.#boot(null).payments
    this.#misfortune = new Misfortune(faultCase.meanwhile, {
      payments: this.#calm,
      payer,
      provider: this.#provider,
      invoiceIds: () => this.#invoices,
      intentIds: () => this.#intents,
      advance: context.advance,
      liveOn: () => this.#liveOn(),
      sweepAhead: (ms) => this.#sweepAhead(ms),
    })
    this.#server = this.#boot(faultCase.crash, (provider) => this.#misfortune.plan(provider))
    this.#firstServer = this.#server.process
  }

  get effects(): number {
    return this.#firstServer.effects
  }

  get hasCrashed(): boolean {
    return this.#firstServer.isDead
  }

  async begin(): Promise<void> {
    await this.#misfortune.prepare()
    const now = this.#context.clock()
    const { client } = this.#case
    const [hasOneIntent, hasSecondInvoice] = [client !== 'two tabs' && client !== 'link and bulk', client === 'link and bulk']
    const invoiceSets = hasOneIntent ? [[0]] : [[0], hasSecondInvoice ? [1, 0] : [0]]
    const intents = invoiceSets.map((invoices) => ({ id: randomUUID(), invoices }))
    const invoiceNumbers = (hasSecondInvoice ? [1, 2] : [1]).map(() => `FAULT-${randomUUID()}`)
    const channel = this.#case.meanwhile === 'consent withdrawn' ? 'autopay' : 'bulk'
    const startedAt = { payer: this.#payer, invoiceNumbers, minor: DUE_MINOR, channel, intents, now, expiresAt: addMs(now, DAY) } as const
    this.#invoices = await transactAsReseller(this.#calm, this.#payer.resellerId, (db) => insertPaymentSetup(db, startedAt))
    this.#intents = intents.map(({ id }) => id)
  }

  /** The first submissions, in the payer's way. */
  async pay(): Promise<void> {
    const [first = '', second = first] = this.#intents
    switch (this.#case.client) {
      case 'double click':
        await this.#atOnce(2, () => this.#submit(first, 'submission'))
        break
      case 'fifty at once':
        await this.#atOnce(50, () => this.#submit(first, 'submission'))
        break
      case 'two tabs':
      case 'link and bulk':
        await this.#atOnce(2, (at) => this.#submit(at === 0 ? first : second, `submission ${at}`))
        break
      default:
        await this.#submit(first, 'submission')
    }
    if (this.#case.meanwhile === 'answer lost') await this.#submit(first, randomUUID())
  }

  /** Takes back what other cases would see. */
  end(): Promise<void> {
    return this.#misfortune.undo()
  }

  /** A later submission, where the payer retries. */
  async payAgain(): Promise<void> {
    const keys: Readonly<Record<string, string>> = { 'again, same key': 'submission', 'again, new key': randomUUID() }
    const key = keys[this.#case.client]
    if (key !== undefined) await this.#submit(this.#intents[0] ?? '', key)
  }

  /** Applies scheduled changes, delivers webhooks and runs the worker. */
  async runWorker(): Promise<void> {
    this.#provider.passTime()
    await this.#misfortune.beforeWorker()
    await this.#deliver()
    if (!(await this.#isWorkDue())) return
    await this.#onServer((payments) =>
      Promise.all(this.#case.webhooks === 'twice at once' ? [runWorkerOnce(payments), runWorkerOnce(payments)] : [runWorkerOnce(payments)]),
    )
  }

  /** Asks the database only after something has happened; an idle worker writes nothing. */
  async #isWorkDue(): Promise<boolean> {
    this.#nextWorkAt ??= transactAsSystem(this.#context, findNextWorkAt)
    const at = await this.#nextWorkAt
    return at !== null && at <= this.#context.clock()
  }

  async compare(): Promise<LedgerComparison> {
    const [faultCase, provider, misfortune, reported] = [this.#case, this.#provider, this.#misfortune, this.#reported]
    const found = { faultCase, provider, misfortune, reported, intentIds: this.#intents, invoiceIds: this.#invoices }
    return compareLedgers(this.#calm, this.#payer, found)
  }

  #boot(crash: FaultCase['crash'], plan: (provider: PausedProvider) => void = () => undefined): Server {
    const process = new ServerProcess(crash)
    const paused = new PausedProvider(this.#provider.provider(process))
    plan(paused)
    const payments = {
      ...this.#context,
      store: process.store(this.#context.store),
      providers: () => paused.provider,
      onMailQueued: () => undefined,
    }
    return { process, payments }
  }

  /** Another server works on for days while the first one stands still, and the payer pays again there. */
  async #liveOn(): Promise<void> {
    this.#server = this.#boot(null)
    for (const [at, ms] of WAITS.entries()) {
      await this.runWorker()
      if (at === 0 || at === 3) await this.#submit(this.#intents[0] ?? '', randomUUID())
      this.#context.advance(ms)
    }
  }

  async #sweepAhead(ms: number): Promise<void> {
    const { payments } = this.#boot(null)
    this.#nextWorkAt = null
    await sweepAttempts({ ...payments, clock: () => addMs(this.#context.clock(), ms) })
  }

  async #atOnce(times: number, run: (at: number) => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: times }, (_, at) => run(at)))
  }

  /** Runs on the current server; when it crashes, another replaces it and the caller gets no answer. */
  async #onServer<T>(runWorkerOnce: (payments: PaymentsDeps) => Promise<T>): Promise<T | undefined> {
    const server = this.#server
    this.#nextWorkAt = null
    try {
      return await runWorkerOnce(server.payments)
    } catch (error) {
      if (server.process.isDead || error instanceof ApiError || isBusy(error)) return undefined
      throw error
    } finally {
      if (server.process.isDead && this.#server === server) this.#server = this.#boot(null)
    }
  }

  async #submit(intentId: string, key: string): Promise<void> {
    const attempt = await this.#onServer((payments) => this.#charge(payments, intentId, key))
    if (attempt === undefined) return
    this.#report(attempt)
    if (attempt.status !== 'requires_action' || this.#case.client === 'walks away') return
    this.#provider.confirmAtBank(attempt.id)
    const returned = await this.#onServer(async (payments) => {
      const current = await lookUpAttempt(payments, attempt, 'return')
      return current.status === 'requires_action' ? cancelAttempt(payments, current) : current
    })
    if (returned !== undefined) this.#report(returned)
  }

  async #charge(payments: PaymentsDeps, intentId: string, key: string): Promise<Attempt> {
    const account = await this.#accountOn(payments)
    if (account === null) throw new Error('the provider is not connected')
    const isDebit = this.#case.provider === 'settles later' || this.#case.provider === 'fails later'
    return chargeIntent(payments, account, this.#payer, {
      intentId,
      source: { method: { token: STORED, kind: 'card', details: {} } },
      methodId: this.#misfortune.methodId,
      methodType: 'card',
      isDebit,
      submission: createSubmission(payments.keys, intentId, key, STORED),
      receiptEmail: null,
      shownMinor: this.#case.meanwhile === 'fee raised' ? this.#shownMinor(intentId) : null,
      returnUrl: (attemptId) => `https://portal.example/${attemptId}`,
      client: null,
    })
  }

  /** What the payer was shown when there was no fee. */
  #shownMinor(intentId: string): number {
    return DUE_MINOR * (this.#case.client === 'link and bulk' && intentId === this.#intents[1] ? 2 : 1)
  }

  /** One account for all submits on a server, unless it may be exchanged. */
  #accountOn(payments: PaymentsDeps): Promise<Account | null> {
    const isKept = this.#case.meanwhile !== 'account exchanged'
    const account = (isKept ? this.#accounts.get(payments) : undefined) ?? findAccount(payments, this.#payer.resellerId)
    this.#accounts.set(payments, account)
    return account
  }

  #report({ id, status }: Attempt): void {
    const order = this.#provider.payments.get(id)
    this.#reported.push({ attemptId: id, status, wasPaid: order?.state === 'succeeded' })
  }

  /** Delivers the provider's webhooks until they are accepted. */
  async #deliver(): Promise<void> {
    const webhooks = this.#provider.takeDueWebhooks()
    for (const webhook of webhooks) {
      const times = this.#case.webhooks === 'twice at once' ? 2 : 1
      const results = await Promise.all(
        Array.from({ length: times }, () => this.#onServer((payments) => isAnswered(payments, this.#payer.resellerId, webhook))),
      )
      if (!results.includes(true)) this.#provider.putBack(webhook)
    }
    if (webhooks.length > 0) await this.#onServer(processWebhookEvents)
  }
}

const runWorkerOnce = async (payments: PaymentsDeps): Promise<void> => {
  await processWebhookEvents(payments)
  await sweepAttempts(payments)
}
