import { Type } from 'typebox'
import { addMs } from '../../../src/kit/clock.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import type { NotPrepared, PreparedCharge } from '../../../src/payments/providers/prepared-charge.ts'
import type { ChargeResult, ProviderPayment } from '../../../src/payments/providers/charge-result.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import type { PaymentProvider, ProviderOf } from '../../../src/payments/providers/provider.ts'
import type { WebhookEvent } from '../../../src/payments/providers/webhooks.ts'
import { type Call, type FakePayment, type FakeWebhook, FORGED_SECRET, resultOf } from './fake-payment.ts'
import type { FaultCase } from './fault-cases.ts'
import type { SideEffects } from './crashing-server.ts'

const DAY = 86_400_000
const LAG_MS = 5 * 60_000

const NOT_FOUND_MEANS_UNPAID_AFTER_MS: Readonly<Record<FaultCase['shape'], number | null>> = {
  'two steps': 0,
  'one call': 2 * LAG_MS,
  'one call, lagging list': 2 * LAG_MS,
  'one call, absence proves nothing': null,
}

const failToAnswer = (): never => {
  throw new Error('no answer in time')
}

/** A call that is made with a valid permit alone. */
const sendBy =
  (send: () => Promise<ChargeResult>): PreparedCharge['submit'] =>
  async (permit) =>
    permit.isValid() ? send() : { state: 'not_sent', detail: 'it was too late to send it' }

/** A provider with its own ledger, which outlives every server that calls it. Our ledger is compared with it. */
export class FakeProvider {
  readonly payments = new Map<string, FakePayment>()
  readonly #case: FaultCase
  readonly #clock: () => Date
  #later: { readonly at: Date; readonly apply: () => void }[] = []
  #webhooks: FakeWebhook[] = []
  #orders = 0
  #silences = 0
  #planned: FaultCase['provider'] | null = null
  #events = 0
  /** Called when a webhook arrives before the answer to its charge. */
  onEarlyWebhook: () => Promise<void> = async () => undefined

  constructor(faultCase: FaultCase, clock: () => Date) {
    this.#case = faultCase
    this.#clock = clock
  }

  /** The payer confirms on the bank's page. */
  confirmAtBank(merchantReference: string): void {
    const payment = this.payments.get(merchantReference)
    if (payment?.state === 'requires_action') this.#become(payment, 'succeeded')
  }

  /** Sets the behaviour of the next charge, whatever the case says. */
  planNext(behaviour: FaultCase['provider']): void {
    this.#planned = behaviour
  }

  /** The reseller refunds a part of a payment. */
  refund(payment: FakePayment, minor: bigint): void {
    payment.refundedMinor += minor
    this.#announce(payment, 'refunded')
  }

  /** Its desk takes back a payment whole before it is settled. */
  void(payment: FakePayment): void {
    this.#become(payment, 'voided')
  }

  /** The bank takes a payment back. */
  chargeBack(payment: FakePayment): void {
    payment.isReversed = true
    this.#announce(payment, 'taken back')
  }

  /** Applies everything that was scheduled by now. */
  passTime(): void {
    const now = this.#clock()
    const due = this.#later.filter(({ at }) => at <= now)
    this.#later = this.#later.filter(({ at }) => at > now)
    for (const { apply } of due) apply()
  }

  /** Takes the webhooks that are due by now. */
  takeDueWebhooks(): FakeWebhook[] {
    const now = this.#clock()
    const due = this.#webhooks.filter(({ dueAt }) => dueAt <= now)
    this.#webhooks = this.#webhooks.filter(({ dueAt }) => dueAt > now)
    return this.#case.webhooks === 'out of order' ? due.toReversed() : due
  }

  /** Puts back a webhook that was not accepted. */
  putBack(webhook: FakeWebhook): void {
    this.#webhooks.push(webhook)
  }

  #become(payment: FakePayment, state: FakePayment['state']): void {
    payment.state = state
    this.#announce(payment, state)
  }

  #announce({ merchantReference, ref, account }: FakePayment, kind: string): void {
    const { webhooks } = this.#case
    if (webhooks === 'lost') return
    this.#events += 1
    const webhook: WebhookEvent = {
      eventId: `${merchantReference} ${this.#events}`,
      kind,
      about: 'payment',
      merchantReference,
      providerRef: ref,
    }
    const dueAt = webhooks === 'days late' ? addMs(this.#clock(), 5 * DAY) : this.#clock()
    const isForged = webhooks === 'forged'
    this.#webhooks.push({
      raw: JSON.stringify(isForged ? { ...webhook, kind: 'paid' } : webhook),
      signature: isForged ? FORGED_SECRET : account,
      dueAt,
    })
    if (webhooks === 'out of order') this.#webhooks.push({ raw: JSON.stringify({ ...webhook, kind: 'failed' }), signature: account, dueAt })
  }

  #create({ merchantReference, amount, invoiceNumbers }: ChargeOrder, account: string): FakePayment {
    const created = this.payments.get(merchantReference)
    if (created !== undefined && this.#case.shape === 'two steps') return created
    const initial = { state: 'created', isReversed: false, refundedMinor: 0n, isGoneUnknown: false } as const
    const payment: FakePayment = {
      merchantReference,
      ref: `ref ${merchantReference}`,
      account,
      amount,
      invoiceNumbers,
      createdAt: this.#clock(),
      ...initial,
    }
    // Without idempotency keys the same order again is another payment.
    this.payments.set(created === undefined ? merchantReference : `${merchantReference} again`, payment)
    return payment
  }

  /** A webhook says that the payment was created; it is processed before the server goes on. */
  async #confirm(payment: FakePayment): Promise<ChargeResult> {
    if (payment.state !== 'created') return resultOf(payment)
    const behaviour = this.#planned ?? (this.#orders++ === 0 ? this.#case.provider : 'ok')
    this.#planned = null
    const answer = this.#behave(payment, behaviour)
    if (this.#case.webhooks === 'before the answer') await this.onEarlyWebhook()
    return answer()
  }

  /** Applies a behaviour to the payment; returns how the charge is answered. */
  #behave(payment: FakePayment, behaviour: FaultCase['provider']): () => ChargeResult {
    const currentResult = (): ChargeResult => resultOf(payment)
    switch (behaviour) {
      case 'declined':
        this.#become(payment, 'declined')
        return currentResult
      case 'asks the payer':
        this.#become(payment, 'requires_action')
        return currentResult
      case 'settles later':
      case 'fails later':
        this.#become(payment, 'processing')
        this.#in(DAY, () => this.#become(payment, behaviour === 'settles later' ? 'succeeded' : 'declined'))
        return currentResult
      case 'taken back later':
        this.#become(payment, 'succeeded')
        this.#in(3 * DAY, () => {
          if (payment.state !== 'succeeded' || payment.refundedMinor === payment.amount.minor) return // nothing is left to be reversed
          this.chargeBack(payment)
        })
        return currentResult
      case 'silent, charged':
        // It arrives late, as from a slow network, unless it was canceled meanwhile.
        this.#silences = 1
        this.#in(90_000, () => payment.state === 'created' && this.#become(payment, 'succeeded'))
        return failToAnswer
      case 'silent, not charged':
        this.#silences = 1
        return failToAnswer
      case 'error, not charged':
        return () => ({ state: 'unknown', detail: '500' })
      case 'error, charged':
        this.#become(payment, 'succeeded')
        return () => ({ state: 'unknown', detail: '500' })
      case 'garbage':
        this.#become(payment, 'succeeded')
        return () => JSON.parse('<html>') as ChargeResult
      case 'another amount':
        this.#become(payment, 'succeeded')
        return () => ({
          ...(currentResult() as ChargeResult & { state: 'succeeded' }),
          amount: { ...payment.amount, minor: payment.amount.minor + 100n },
        })
      default:
        this.#become(payment, 'succeeded')
        return currentResult
    }
  }

  #in(ms: number, apply: () => void): void {
    this.#later.push({ at: addMs(this.#clock(), ms), apply })
  }

  /** With two steps a payment is found by its reference alone. */
  #lookUp(merchantReference: string, providerRef: string | null, account: string): ChargeResult {
    if (this.#silences-- > 0) return failToAnswer()
    if (this.#case.shape === 'two steps' && providerRef === null) return { state: 'absent', detail: 'nobody knows it' }
    const payment = this.payments.get(merchantReference)
    if (payment?.account === account && this.#isListed(payment)) return resultOf(payment)
    return { state: this.#case.shape === 'one call' ? 'not_started' : 'absent', detail: 'nobody knows it' }
  }

  #isListed({ createdAt, state }: FakePayment): boolean {
    return this.#case.shape !== 'one call, lagging list' || (state !== 'created' && addMs(createdAt, LAG_MS) <= this.#clock())
  }

  async *#list(): AsyncGenerator<ProviderPayment> {
    for (const payment of this.payments.values())
      yield { merchantReference: payment.merchantReference, providerRef: payment.ref, result: resultOf(payment) }
  }

  /** The provider as one server calls it. */
  provider(effects: SideEffects): PaymentProvider {
    const [hasTwoSteps, answersTwice] = [this.#case.shape === 'two steps', this.#case.provider === 'answers twice']
    const cancel = (account: string, merchantReference: string, providerRef: string | null): Promise<ChargeResult> =>
      effects.runEffect(async () => {
        const payment = this.payments.get(merchantReference)
        if (payment?.account === account && (payment.state === 'created' || payment.state === 'requires_action'))
          this.#become(payment, 'canceled')
        return this.#lookUp(merchantReference, providerRef, account)
      })
    const prepareCharge = async ({ settings: { secret } }: Call, payment: ChargeOrder): Promise<PreparedCharge | NotPrepared> => {
      if (this.#case.provider === 'refuses the line' && this.#orders++ === 0) return { state: 'not_sent', detail: 'the line was refused' }
      if (!hasTwoSteps)
        return { providerRef: null, submit: sendBy(() => effects.runEffect(() => this.#confirm(this.#create(payment, secret)))) }
      const created = await effects.runEffect(async () => {
        const made = this.#create(payment, secret)
        // Announced here also where it arrives after the answer: the provider sends it even if nobody hears the answer.
        if (this.#case.webhooks.startsWith('made known')) this.#announce(made, 'created')
        if (this.#case.webhooks === 'made known before the answer') await this.onEarlyWebhook()
        return made
      })
      if (this.#case.webhooks === 'made known after the answer') await this.onEarlyWebhook()
      const confirm = () => effects.runEffect(() => this.#confirm(created))
      return {
        providerRef: created.ref,
        submit: sendBy(async () => (answersTwice ? confirm().then(confirm) : confirm())),
        discard: () => cancel(secret, payment.merchantReference, created.ref),
      }
    }
    const provider: ProviderOf<{ secret: string }> = {
      name: 'bpoint',
      reviewText: 'At its desk.',
      account: { settings: Type.Object({ secret: Type.String() }), identifyingSettings: ['secret'], liveHosts: /^provider\.example$/ },
      idempotency: 'never',
      entry: { accepts: ['token'] },
      notFoundMeansUnpaidAfterMs: NOT_FOUND_MEANS_UNPAID_AFTER_MS[this.#case.shape],
      storing: {
        pathFamily: 'payments',
        store: async () => ({ state: 'unknown', detail: 'the bench stores nothing' }),
        remove: async () => undefined,
      },
      prepareStoredMethodCharge: prepareCharge,
      lookUp: ({ settings: { secret } }, { merchantReference, providerRef }) =>
        effects.runEffect(async () => this.#lookUp(merchantReference, providerRef, secret)),
      webhooks: {
        isSigned: true,
        parse: ({ settings }, { headers, raw }) => {
          if (headers['signature'] !== settings.secret) throw new ApiError('invalid_signature', 'The signature is not the provider’s.')
          return [JSON.parse(raw) as WebhookEvent]
        },
      },
      amounts: { feeLines: ['CREDIT_CARD_FEE', 'DIRECT_DEBIT_FEE'] },
      listPayments: (): AsyncIterable<ProviderPayment> => this.#list(),
      redact: () => '',
    }
    if (hasTwoSteps)
      provider.cancel = ({ settings: { secret } }, { merchantReference, providerRef }) => cancel(secret, merchantReference, providerRef)
    return provider as PaymentProvider
  }
}
