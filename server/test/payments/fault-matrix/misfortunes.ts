import { applyAccountChange, planAccountChange } from '../../../src/payments/accounts/account-change.ts'
import { sealAccount } from '../../../src/payments/accounts/accounts.ts'
import { SENDABLE_MS } from '../../../src/payments/attempts/transition.rules.ts'
import { type PaymentsDeps, transactAsReseller } from '../../../src/payments/payments-deps.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'
import type { PausedProvider, PauseStep } from '../paused-provider.ts'
import { type FakePayment, OTHER_SECRET, SECRET } from '../fault-injection/fake-payment.ts'
import type { FakeProvider } from '../fault-injection/fake-provider.ts'
import type { FaultCase } from '../fault-injection/fault-cases.ts'
import { readAttempts } from '../fault-injection/ledger.queries.ts'
import { addFees, allowAutopay, changeInvoice, removeFees, removeMethods, setConsent } from './misfortunes.queries.ts'

type MisfortuneKind = FaultCase['meanwhile']

/** At which step of the first charge it happens. */
const STEPS: Readonly<Partial<Record<MisfortuneKind, PauseStep>>> = {
  'frozen before it is prepared': 'before it is prepared',
  'frozen before the fence': 'before the fence',
  'frozen after the fence': 'after the fence',
  'a clock ahead': 'after the fence',
  'account exchanged': 'before the fence',
  'amount lowered': 'before the fence',
  'paid elsewhere': 'before the fence',
  'fee raised': 'before the fence',
  'consent withdrawn': 'before the fence',
  'method removed': 'before the fence',
}

/** How far clocks may differ, since every server keeps the database's time. */
const SKEW_MS = 4_000
const PART_MINOR = 4_000n
const LOWERED_MINOR = 6_000

/** The run to which a misfortune happens. */
export interface MisfortuneRun {
  /** A server that never crashes. */
  readonly payments: PaymentsDeps
  readonly payer: CustomerScope
  readonly provider: FakeProvider
  readonly invoiceIds: () => readonly number[]
  readonly intentIds: () => readonly string[]
  readonly advance: (ms: number) => void
  /** Another server works on as hours go by, and the payer pays again there. */
  liveOn(): Promise<void>
  /** Another server, whose clock is ahead, looks up what is due. */
  sweepAhead(ms: number): Promise<void>
}

/** Lets the reseller use its account at the fake provider, or another one, as an operator does. */
export const useAccount = async (deps: PaymentsDeps, resellerId: number, secret = SECRET): Promise<void> => {
  const account = sealAccount(deps, { resellerId, provider: 'bpoint', baseUrl: 'http://127.0.0.1:1', settings: { secret } })
  const change = await planAccountChange(deps, account, null)
  await transactAsReseller(deps, resellerId, (db) => applyAccountChange(db, change, deps.clock()))
}

/** What happens beside a payment, once. */
export class Misfortune {
  readonly #kind: MisfortuneKind
  readonly #run: MisfortuneRun
  #hasHappened = false
  #failure: unknown = null
  /** The stored method that pays, where one does. */
  methodId: string | null = null

  constructor(kind: MisfortuneKind, run: MisfortuneRun) {
    this.#kind = kind
    this.#run = run
  }

  /** Whether nothing may be charged any more. */
  get forbidsCharge(): boolean {
    return this.#hasHappened && ['amount lowered', 'paid elsewhere', 'consent withdrawn'].includes(this.#kind)
  }

  /** What is due of the first invoice since; null where nothing has changed it. */
  get changedDueMinor(): number | null {
    if (!this.#hasHappened || (this.#kind !== 'amount lowered' && this.#kind !== 'paid elsewhere')) return null
    return this.#kind === 'amount lowered' ? LOWERED_MINOR : 0
  }

  async prepare(): Promise<void> {
    const { payments, payer } = this.#run
    if (this.#kind === 'consent withdrawn' || this.#kind === 'method removed')
      this.methodId = await transactAsReseller(payments, payer.resellerId, (db) =>
        allowAutopay(db, payer, 'a stored card', payments.clock()),
      )
  }

  /** Plans it for the first charge of this provider. */
  plan(provider: PausedProvider): void {
    const step = STEPS[this.#kind]
    if (step === undefined) return
    provider.pauseAt(step, () => this.#happen().catch((error: unknown) => (this.#failure = error)))
  }

  /** Before look-ups: lets the provider's desk give back money of which nobody has heard. */
  async beforeWorker(): Promise<void> {
    const { provider, payments, payer, intentIds } = this.#run
    if (this.#hasHappened || !['voided', 'refunded', 'refunded in part', 'charged back'].includes(this.#kind)) return
    const payment = [...provider.payments.values()].find(({ state }) => state === 'succeeded')
    if (payment === undefined) return
    this.#hasHappened = true
    const attempts = await transactAsReseller(payments, payer.resellerId, (db) => readAttempts(db, payer.customerId, intentIds()))
    if (attempts.some(({ id, paidMinor }) => id === payment.merchantReference && paidMinor > 0)) return
    this.#giveBack(payment)
  }

  /**
   * Takes back what other cases would see.
   * @throws whatever kept it from happening
   */
  async undo(): Promise<void> {
    const { payments, payer } = this.#run
    if (this.#failure !== null) throw this.#failure
    if (this.#kind === 'account exchanged') await useAccount(payments, payer.resellerId)
    if (this.#kind === 'fee raised') await transactAsReseller(payments, payer.resellerId, (db) => removeFees(db, payer))
    if (this.methodId === null) return
    await transactAsReseller(payments, payer.resellerId, async (db) => {
      await removeMethods(db, payer, payments.clock())
      await setConsent(db, payer, false)
    })
  }

  #giveBack(payment: FakePayment): void {
    const { provider } = this.#run
    payment.isGoneUnknown = this.#kind !== 'refunded in part'
    if (this.#kind === 'voided') provider.void(payment)
    else if (this.#kind === 'charged back') provider.chargeBack(payment)
    else provider.refund(payment, this.#kind === 'refunded' ? payment.amount.minor : PART_MINOR)
  }

  async #happen(): Promise<void> {
    const { payments, payer, advance, liveOn, sweepAhead } = this.#run
    this.#hasHappened = true
    const change = (work: Parameters<typeof transactAsReseller<void>>[2]): Promise<void> =>
      transactAsReseller(payments, payer.resellerId, work)
    switch (this.#kind) {
      case 'account exchanged':
        return useAccount(payments, payer.resellerId, OTHER_SECRET)
      case 'amount lowered':
      case 'paid elsewhere': {
        const [id = 0] = this.#run.invoiceIds()
        return change((db) => changeInvoice(db, payer, { id, dueMinor: this.changedDueMinor ?? 0, now: payments.clock() }))
      }
      case 'fee raised':
        return change((db) => addFees(db, payer, 500))
      case 'consent withdrawn':
        return change((db) => setConsent(db, payer, false))
      case 'method removed':
        return change((db) => removeMethods(db, payer, payments.clock()))
      case 'a clock ahead':
        advance(SENDABLE_MS - 1_000)
        return sweepAhead(SKEW_MS)
      default:
        return liveOn()
    }
  }
}
