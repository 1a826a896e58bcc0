import { Type } from 'typebox'
import { addMs } from '../../../src/kit/clock.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import type {
  AnyProvider,
  ProviderPayment,
  ChargeOrder,
  ChargeResult,
  WebhookEvent,
  PaymentProvider,
} from '../../../src/payments/providers/provider.ts'
import type { FaultCase } from './fault-cases.ts'
import type { Effects } from './crashing-server.ts'

export const SECRET = 'signs the notices of the bench'
const DAY = 86_400_000

/** A payment in the company's own books. */
export interface CompanyOrder {
  readonly attemptId: string
  readonly ref: string
  readonly amount: ChargeOrder['amount']
  readonly invoiceNumbers: readonly string[]
  state: 'known' | 'action' | 'processing' | 'paid' | 'declined' | 'cancelled'
  isTakenBack: boolean
  refundedMinor: bigint
}

export interface CompanyNotice {
  readonly raw: string
  readonly signature: string
  readonly dueAt: Date
}

const silence = (): never => {
  throw new Error('no answer in time')
}

/** A company with books of its own, which outlives every server that speaks to it. Its books are what ours are held against. */
export class Company {
  readonly books = new Map<string, CompanyOrder>()
  readonly #case: FaultCase
  readonly #clock: () => Date
  #later: { readonly at: Date; readonly happens: () => void }[] = []
  #notices: CompanyNotice[] = []
  #orders = 0
  #silences = 0
  #planned: FaultCase['company'] | null = null
  #events = 0
  /** Told when a notice is on its way before its answer. */
  early: () => Promise<void> = async () => undefined

  constructor(one: FaultCase, clock: () => Date) {
    this.#case = one
    this.#clock = clock
  }

  /** The payer does what the bank's page asks. */
  confirmAtBank(attemptId: string): void {
    const order = this.books.get(attemptId)
    if (order?.state === 'action') this.#become(order, 'paid')
  }

  /** How the next order is met, whatever the case says. */
  meetNext(behaviour: FaultCase['company']): void {
    this.#planned = behaviour
  }

  /** The reseller gives a part of a payment back. */
  refund(order: CompanyOrder, minor: bigint): void {
    order.refundedMinor += minor
    this.#announce(order, 'refunded')
  }

  /** What was to happen by now, happens. */
  passTime(): void {
    const now = this.#clock()
    const due = this.#later.filter(({ at }) => at <= now)
    this.#later = this.#later.filter(({ at }) => at > now)
    for (const { happens } of due) happens()
  }

  /** Notices that are to be delivered by now; each is the caller's from then on. */
  dueNotices(): CompanyNotice[] {
    const now = this.#clock()
    const due = this.#notices.filter(({ dueAt }) => dueAt <= now)
    this.#notices = this.#notices.filter(({ dueAt }) => dueAt > now)
    return this.#case.notices === 'out of order' ? due.toReversed() : due
  }

  /** A notice that was not taken comes again. */
  keep(notice: CompanyNotice): void {
    this.#notices.push(notice)
  }

  #become(order: CompanyOrder, state: CompanyOrder['state']): void {
    order.state = state
    this.#announce(order, state)
  }

  #announce({ attemptId, ref }: CompanyOrder, kind: string): void {
    const { notices } = this.#case
    if (notices === 'lost') return
    this.#events += 1
    const notice: WebhookEvent = { eventId: `${attemptId} ${this.#events}`, kind, about: 'payment', attemptId, providerRef: ref }
    const dueAt = notices === 'days late' ? addMs(this.#clock(), 5 * DAY) : this.#clock()
    const isForged = notices === 'forged'
    this.#notices.push({
      raw: JSON.stringify(isForged ? { ...notice, kind: 'paid' } : notice),
      signature: isForged ? 'somebody else' : SECRET,
      dueAt,
    })
    if (notices === 'out of order') this.#notices.push({ raw: JSON.stringify({ ...notice, kind: 'failed' }), signature: SECRET, dueAt })
  }

  #result(order: CompanyOrder): ChargeResult {
    const { state, ref: providerRef, amount, isTakenBack, refundedMinor: refunded } = order
    switch (state) {
      case 'paid':
        return { state, providerRef, amount, refunded, reversed: isTakenBack ? amount.minor - refunded : 0n }
      case 'processing':
        return { state: 'pending', providerRef }
      case 'action':
        return { state, providerRef, redirectUrl: `https://bank.example/${order.attemptId}` }
      case 'declined':
        return { state, reason: 'card_declined', userMessage: 'The card was declined.', providerCode: '05' }
      case 'cancelled':
        return { state, detail: 'given up' }
      default:
        return { state: 'idle', detail: 'not begun' }
    }
  }

  #makeKnown(order: ChargeOrder): CompanyOrder {
    const { attemptId, amount, invoiceNumbers } = order
    const known = this.books.get(attemptId)
    if (known !== undefined) return known
    const fresh = { state: 'known', isTakenBack: false, refundedMinor: 0n } as const
    const made: CompanyOrder = { attemptId, ref: `ref ${attemptId}`, amount, invoiceNumbers, ...fresh }
    this.books.set(attemptId, made)
    return made
  }

  async #confirm(order: CompanyOrder): Promise<ChargeResult> {
    if (order.state !== 'known') return this.#result(order)
    const behaviour = this.#planned ?? (this.#orders++ === 0 ? this.#case.company : 'ok')
    this.#planned = null
    const answer = this.#behave(order, behaviour)
    if (this.#case.notices === 'before the answer') await this.early()
    return answer()
  }

  /** Does what the behaviour does to the money, and gives how it is answered. */
  #behave(order: CompanyOrder, behaviour: FaultCase['company']): () => ChargeResult {
    const honest = (): ChargeResult => this.#result(order)
    switch (behaviour) {
      case 'declined':
        this.#become(order, 'declined')
        return honest
      case 'asks the payer':
        this.#become(order, 'action')
        return honest
      case 'settles later':
      case 'fails later':
        this.#become(order, 'processing')
        this.#in(DAY, () => this.#become(order, behaviour === 'settles later' ? 'paid' : 'declined'))
        return honest
      case 'taken back later':
        this.#become(order, 'paid')
        this.#in(3 * DAY, () => {
          if (order.refundedMinor === order.amount.minor) return // nothing is left to be taken back
          order.isTakenBack = true
          this.#announce(order, 'taken back')
        })
        return honest
      case 'silent, charged':
        // It arrives late, as what a network has held back does, unless it was given up meanwhile.
        this.#silences = 1
        this.#in(90_000, () => order.state === 'known' && this.#become(order, 'paid'))
        return silence
      case 'silent, not charged':
        this.#silences = 1
        return silence
      case 'error, not charged':
        return () => ({ state: 'unknown', detail: '500' })
      case 'error, charged':
        this.#become(order, 'paid')
        return () => ({ state: 'unknown', detail: '500' })
      case 'garbage':
        this.#become(order, 'paid')
        return () => JSON.parse('<html>') as ChargeResult
      case 'another amount':
        this.#become(order, 'paid')
        return () => ({ ...(honest() as ChargeResult & { state: 'paid' }), amount: { ...order.amount, minor: order.amount.minor + 100n } })
      default:
        this.#become(order, 'paid')
        return honest
    }
  }

  #in(ms: number, happens: () => void): void {
    this.#later.push({ at: addMs(this.#clock(), ms), happens })
  }

  #lookUp(attemptId: string): ChargeResult {
    if (this.#silences-- > 0) return silence()
    const order = this.books.get(attemptId)
    if (order !== undefined) return this.#result(order)
    return this.#case.shape === 'two steps'
      ? { state: 'not-sent', detail: 'nobody knows it' }
      : { state: 'idle', detail: 'nobody knows it' }
  }

  async *#list(): AsyncGenerator<ProviderPayment> {
    for (const order of this.books.values()) yield { attemptId: order.attemptId, providerRef: order.ref, result: this.#result(order) }
  }

  /** The company as one server meets it. */
  provider(server: Effects): AnyProvider {
    const isTwoSteps = this.#case.shape === 'two steps'
    const twice = this.#case.company === 'answers twice'
    const chargeStored = async (_call: unknown, order: ChargeOrder): Promise<ChargeResult> => {
      if (this.#case.company === 'refuses the line' && this.#orders++ === 0) return { state: 'not-sent', detail: 'the line was refused' }
      if (!isTwoSteps) return server.effect(() => this.#confirm(this.#makeKnown(order)))
      const known = await server.effect(async () => this.#makeKnown(order))
      await order.saveReference(known.ref)
      const answer = await server.effect(() => this.#confirm(known))
      return twice ? server.effect(() => this.#confirm(known)) : answer
    }
    const provider: PaymentProvider<{ secret: string }> = {
      name: 'bpoint',
      settings: Type.Object({ secret: Type.String() }),
      liveHosts: /^company\.example$/,
      idempotency: 'never',
      storeMethod: async () => ({ state: 'unknown', detail: 'the bench stores nothing' }),
      removeMethod: async () => undefined,
      chargeStoredMethod: chargeStored,
      lookUp: (_call, { attemptId }) => server.effect(async () => this.#lookUp(attemptId)),
      parseWebhook: ({ settings }, { headers, raw }) => {
        if (headers['signature'] !== settings.secret) throw new ApiError('invalid_signature', 'The signature is not the company’s.')
        return [JSON.parse(raw) as WebhookEvent]
      },
      listPayments: (): AsyncIterable<ProviderPayment> => this.#list(),
      redact: () => '',
    }
    if (isTwoSteps)
      provider.cancel = (_call, { attemptId }) =>
        server.effect(async () => {
          const order = this.books.get(attemptId)
          if (order?.state === 'known' || order?.state === 'action') this.#become(order, 'cancelled')
          return this.#lookUp(attemptId)
        })
    return provider as AnyProvider
  }
}
