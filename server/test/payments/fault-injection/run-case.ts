import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../src/kit/api-error.ts'
import { addMs } from '../../../src/kit/clock.ts'
import type { TestContext } from '../../support/test-app.ts'
import { type Account, findAccount, saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { chargeIntent } from '../../../src/payments/engine/charge.ts'
import { cancelAttempt, lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { processWebhookEvents, receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { Attempt } from '../../../src/payments/engine/settle.queries.ts'
import { createSubmission } from '../../../src/payments/engine/submission.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { compareBooks, type Told, type Verdict } from './compare-ledgers.ts'
import { beginPayment, nextWorkAt } from './ledger.queries.ts'
import { Company, type CompanyNotice, SECRET } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { isBusy, ServerProcess } from './crashing-server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DUE_MINOR = 11_000
const STORED = 'a stored card'
/**
 * When somebody looks: around every limit of the engine, then until debits have settled, come back and late notices arrived, and the last
 * of those is free again that a dead server had taken.
 */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY, DAY, 2 * DAY, 2 * DAY, 3 * MINUTE])

export interface CaseOutcome extends Verdict {
  /** How many effects the run had until it crashed, or in all. */
  readonly effects: number
  readonly hasCrashed: boolean
}

/** Connects a customer's reseller to the bench's company. */
export const connectCompany = async (context: TestContext, resellerId: number): Promise<void> => {
  const company = new Company({ company: 'ok', client: 'once', notices: 'lost', shape: 'two steps', crash: null }, context.clock)
  const companies = () => company.provider(new ServerProcess(null))
  await saveAccount(
    { ...context, providers: companies },
    { resellerId, provider: 'bpoint', baseUrl: 'http://127.0.0.1:1', settings: { secret: SECRET } },
  )
}

/** Lets somebody pay as the case says, the server die where it says, and time pass; then compares the books. */
export const runCase = async (context: TestContext, payer: CustomerKey, one: FaultCase): Promise<CaseOutcome> => {
  const begun = context.clock()
  const run = new FaultRun(context, payer, one)
  try {
    await run.begin()
    await run.pay()
    for (const [at, ms] of WAITS.entries()) {
      await run.round()
      if (at === 0 || at === 3) await run.payAgain()
      context.advance(ms)
    }
    await run.round()
    await run.round()
    return { ...(await run.verdict()), effects: run.effects, hasCrashed: run.hasCrashed }
  } finally {
    context.advance(begun.getTime() - context.clock().getTime())
  }
}

class FaultRun {
  readonly #house: TestContext
  readonly #payer: CustomerKey
  readonly #case: FaultCase
  readonly #company: Company
  readonly #told: Told[] = []
  readonly #firstServer: ServerProcess
  #server: { readonly process: ServerProcess; readonly payments: PaymentsDeps }
  #intents: string[] = []
  #invoices: number[] = []
  #nextWorkAt: Promise<Date | null> | null = null
  readonly #accounts = new Map<PaymentsDeps, Promise<Account | null>>()

  constructor(context: TestContext, payer: CustomerKey, one: FaultCase) {
    this.#house = context
    this.#payer = payer
    this.#case = one
    this.#company = new Company(one, context.clock)
    this.#company.early = () => this.#deliver()
    this.#server = this.#boot(one.crash)
    this.#firstServer = this.#server.process
  }

  get effects(): number {
    return this.#firstServer.effects
  }

  get hasCrashed(): boolean {
    return this.#firstServer.isDead
  }

  async begin(): Promise<void> {
    const now = this.#house.clock()
    const isAlone = this.#case.client !== 'two tabs' && this.#case.client !== 'link and bulk'
    const hasOther = this.#case.client === 'link and bulk'
    const wishes = isAlone ? [[0]] : [[0], hasOther ? [1, 0] : [0]]
    const intents = wishes.map((invoices) => ({ id: randomUUID(), invoices }))
    const invoiceNumbers = (hasOther ? [1, 2] : [1]).map(() => `FAULT-${randomUUID()}`)
    const begun = { payer: this.#payer, invoiceNumbers, minor: DUE_MINOR, intents, now, expiresAt: addMs(now, DAY) }
    this.#invoices = await transactAsReseller({ ...this.#house, onMailQueued: () => undefined }, this.#payer.resellerId, (db) =>
      beginPayment(db, begun),
    )
    this.#intents = intents.map(({ id }) => id)
  }

  /** The first wish, in the way of whoever wishes. */
  async pay(): Promise<void> {
    const [first = '', second = first] = this.#intents
    switch (this.#case.client) {
      case 'double click':
        await this.#atOnce(2, () => this.#submit(first, 'wish'))
        break
      case 'fifty at once':
        await this.#atOnce(50, () => this.#submit(first, 'wish'))
        break
      case 'two tabs':
      case 'link and bulk':
        await this.#atOnce(2, (at) => this.#submit(at === 0 ? first : second, `wish ${at}`))
        break
      default:
        await this.#submit(first, 'wish')
    }
  }

  /** A later wish, where somebody tries again. */
  async payAgain(): Promise<void> {
    const [first = ''] = this.#intents
    if (this.#case.client === 'again, same key') await this.#submit(first, 'wish')
    if (this.#case.client === 'again, new key') await this.#submit(first, randomUUID())
  }

  /** What the company does by itself, its notices, and a round of the worker. */
  async round(): Promise<void> {
    this.#company.passTime()
    await this.#deliver()
    if (!(await this.#isWorkDue())) return
    await this.#onServer((payments) =>
      Promise.all(this.#case.notices === 'twice at once' ? [work(payments), work(payments)] : [work(payments)]),
    )
  }

  /** Asks the database only after something has happened; a worker that finds nothing writes nothing. */
  async #isWorkDue(): Promise<boolean> {
    this.#nextWorkAt ??= transactAsReseller({ ...this.#house, onMailQueued: () => undefined }, this.#payer.resellerId, nextWorkAt)
    const at = await this.#nextWorkAt
    return at !== null && at <= this.#house.clock()
  }

  async verdict(): Promise<Verdict> {
    const found = { one: this.#case, company: this.#company, intentIds: this.#intents, invoiceIds: this.#invoices, told: this.#told }
    return compareBooks({ ...this.#house, onMailQueued: () => undefined }, this.#payer, found)
  }

  #boot(crash: FaultCase['crash']): { process: ServerProcess; payments: PaymentsDeps } {
    const process = new ServerProcess(crash)
    const provider = this.#company.provider(process)
    const payments = { ...this.#house, store: process.store(this.#house.store), companies: () => provider, onMailQueued: () => undefined }
    return { process, payments }
  }

  async #atOnce(times: number, work: (at: number) => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: times }, (_, at) => work(at)))
  }

  /** Runs on the server that stands now; where that dies, another takes its place, and the caller is left without an answer. */
  async #onServer<T>(work: (payments: PaymentsDeps) => Promise<T>): Promise<T | undefined> {
    const on = this.#server
    this.#nextWorkAt = null
    try {
      return await work(on.payments)
    } catch (error) {
      if (on.process.isDead || error instanceof ApiError || isBusy(error)) return undefined
      throw error
    } finally {
      if (on.process.isDead && this.#server === on) this.#server = this.#boot(null)
    }
  }

  async #submit(intentId: string, key: string): Promise<void> {
    const attempt = await this.#onServer((payments) => this.#charge(payments, intentId, key))
    if (attempt === undefined) return
    this.#hear(attempt)
    if (attempt.status !== 'action' || this.#case.client === 'walks away') return
    this.#company.confirmAtBank(attempt.id)
    const back = await this.#onServer(async (payments) => {
      const looked = await lookUpAttempt(payments, attempt, 'return')
      return looked.status === 'action' ? cancelAttempt(payments, looked) : looked
    })
    if (back !== undefined) this.#hear(back)
  }

  async #charge(payments: PaymentsDeps, intentId: string, key: string): Promise<Attempt> {
    const account = await this.#accountOn(payments)
    if (account === null) throw new Error('the company is not connected')
    const isDebit = this.#case.company === 'settles later' || this.#case.company === 'fails later'
    return chargeIntent(payments, account, this.#payer, {
      intentId,
      source: { token: STORED },
      methodId: null,
      methodType: 'card',
      isDebit,
      submission: createSubmission(payments.keys, intentId, key, STORED),
      receiptEmail: null,
      returnUrl: (attemptId) => `https://portal.example/${attemptId}`,
      client: null,
    })
  }

  /** One reading for all who submit on a server: a crowd's fifty would be alike. */
  async #accountOn(payments: PaymentsDeps): Promise<Account | null> {
    const known = this.#accounts.get(payments) ?? findAccount(payments, this.#payer.resellerId)
    this.#accounts.set(payments, known)
    return known
  }

  #hear({ id, status }: Attempt): void {
    const order = this.#company.books.get(id)
    this.#told.push({ attemptId: id, status, wasPaid: order?.state === 'paid' })
  }

  /** Brings the company's notices, as often as it takes. */
  async #deliver(): Promise<void> {
    const notices = this.#company.dueNotices()
    for (const notice of notices) {
      const times = this.#case.notices === 'twice at once' ? 2 : 1
      const taken = await Promise.all(Array.from({ length: times }, () => this.#bring(notice)))
      if (!taken.includes(true)) this.#company.keep(notice)
    }
    if (notices.length > 0) await this.#onServer(processWebhookEvents)
  }

  async #bring({ raw, signature }: CompanyNotice): Promise<boolean> {
    const from = { provider: 'bpoint', resellerId: this.#payer.resellerId }
    let isRefused = false
    const received = await this.#onServer(async (payments) => {
      try {
        await receiveWebhook(payments, from, { headers: { signature }, raw })
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_signature') throw error
        isRefused = true
        return false
      }
    })
    if (isRefused && signature === SECRET) throw new Error('a true notice was refused')
    if (received === true && signature !== SECRET) throw new Error('a forged notice was taken')
    return isRefused || received === true
  }
}

const work = async (payments: PaymentsDeps): Promise<void> => {
  await processWebhookEvents(payments)
  await sweepAttempts(payments)
}
