import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts'
import type { Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { insertPaymentSetup, readAttempts } from './ledger.queries.ts'
import type { FakePayment } from './fake-payment.ts'
import { FakeProvider } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, openFaultContext, runCount } from './fault-context.ts'
import { chargeIntentOn, FIRST_SUBMIT, signedWebhook, type Submit, paymentsWith, SUBMIT_WITH_ANOTHER_CARD } from './single-payment.ts'
import { PaymentLedger } from './payment-ledger.ts'
import { importInvoice, insertIntent, readInvoiceStates } from './payment-model.queries.ts'

const RUNS = runCount(inject('testDatabase').kind === 'embedded' ? 12 : 8)
const COMMANDS = 40
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Until everything is settled. */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY, DAY, DAY, DAY])

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

interface IntentState {
  readonly intentId: string
  readonly invoiceIds: readonly number[]
  readonly requested: readonly { readonly invoiceId: number; readonly minor: number }[]
}

/** The real system that is compared with the ledger of the model: the engine, the provider and the payers. */
class PaymentSystem {
  readonly provider: FakeProvider
  readonly payments: PaymentsDeps
  readonly intents: IntentState[] = []
  readonly attempts = new Map<string, Attempt>()
  readonly failed = new Set<string>()

  constructor() {
    const payment: FaultCase = {
      provider: 'ok',
      client: 'once',
      webhooks: 'normal',
      shape: 'two steps',
      meanwhile: 'nothing else',
      crash: null,
    }
    this.provider = new FakeProvider(payment, fixture.context.clock)
    this.payments = paymentsWith(fixture, this.provider)
  }

  transact<T>(work: Parameters<typeof transactAsReseller<T>>[2]): Promise<T> {
    return transactAsReseller(this.payments, fixture.payer.resellerId, work)
  }

  paymentsIn(state: FakePayment['state']): FakePayment[] {
    return [...this.provider.payments.values()].filter((order) => order.state === state)
  }

  invoices(ids: readonly number[]) {
    return this.transact((db) => readInvoiceStates(db, fixture.payer.customerId, ids))
  }

  /** A payer sees a status: never paid before it was. */
  record(attempt: Attempt): void {
    this.attempts.set(attempt.id, attempt)
    const order = this.provider.payments.get(attempt.id)
    if (attempt.status === 'succeeded') expect(['succeeded', 'voided'], `${attempt.id} was called paid`).toContain(order?.state)
    if (attempt.status === 'declined' || attempt.status === 'not_sent' || attempt.status === 'expired') this.failed.add(attempt.id)
  }

  async submit(ledger: PaymentLedger, intent: IntentState, submit: Submit, isDebit: boolean): Promise<Attempt | null> {
    try {
      const attempt = await chargeIntentOn(this.payments, fixture, { intentId: intent.intentId, submit, isDebit })
      ledger.request(attempt.id, this.#known(attempt) ?? intent.requested)
      this.record(attempt)
      return attempt
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null
      throw error
    }
  }

  #known({ intentId }: Attempt): IntentState['requested'] | undefined {
    return this.intents.find((payment) => payment.intentId === intentId)?.requested
  }
}

type Command = fc.AsyncCommand<PaymentLedger, PaymentSystem>
const pickAt = <T>(from: readonly T[], at: number): T | undefined => (from.length === 0 ? undefined : from[at % from.length])

/** No invoice is charged twice, at any moment. */
const assertNothingTwice = (ledger: PaymentLedger, { provider, intents, attempts }: PaymentSystem): void => {
  for (const id of ledger.ids) {
    const holding = [...provider.payments.values()].filter(
      (order) =>
        (order.state === 'succeeded' || order.state === 'processing') &&
        !order.isReversed &&
        order.refundedMinor < order.amount.minor &&
        intents.some(({ intentId, invoiceIds }) => invoiceIds.includes(id) && attempts.get(order.merchantReference)?.intentId === intentId),
    )
    expect(holding.length, `invoice ${id}`).toBeLessThanOrEqual(1)
  }
}

const command = (name: string, run: (ledger: PaymentLedger, system: PaymentSystem) => Promise<void>): Command => ({
  check: () => true,
  run: async (ledger, system) => {
    await run(ledger, system)
    assertNothingTwice(ledger, system)
  },
  toString: () => name,
})

const issue = async (ledger: PaymentLedger, system: PaymentSystem, minor: number): Promise<void> => {
  const now = fixture.context.clock()
  const begun = { payer: fixture.payer, invoiceNumbers: [`MODEL-${randomUUID()}`], minor, intents: [{ id: randomUUID(), invoices: [0] }] }
  const [id = 0] = await system.transact((db) => insertPaymentSetup(db, { ...begun, now, expiresAt: addMs(now, DAY) }))
  ledger.addInvoice(id, minor)
}

const pay = (at: number, isTwo: boolean, behaviour: FaultCase['provider']): Command =>
  command(`pay ${at}${isTwo ? ' and the next' : ''}, ${behaviour}`, async (ledger, system) => {
    const ids = [...new Set([pickAt(ledger.ids, at) ?? 0, ...(isTwo ? [pickAt(ledger.ids, at + 1) ?? 0] : [])])]
    const states = await system.invoices(ids)
    const isFree = states.every(({ status, dueMinor, isClaimed }) => status === INVOICE_STATUS.open && dueMinor > 0 && !isClaimed)
    const isOver = states.some(({ status, isClaimed }) => !isClaimed && status !== INVOICE_STATUS.open)
    const requested = states.map(({ id: invoiceId, dueMinor: minor }) => ({ invoiceId, minor }))
    if (requested.some(({ minor }) => minor <= 0)) return
    const intentId = await system.transact((db) => insertIntent(db, fixture.payer, states, fixture.context.clock()))
    const intent = { intentId, invoiceIds: ids, requested }
    system.intents.push(intent)
    system.provider.planNext(behaviour)
    const attempt = await system.submit(ledger, intent, FIRST_SUBMIT, behaviour.endsWith('later'))
    if (isFree) expect(attempt, 'what is free can be paid').not.toBeNull()
    if (isOver) expect(attempt, 'what is paid or credited cannot be paid').toBeNull()
  })

const RETRIES = {
  'by the same key': () => FIRST_SUBMIT,
  'by the same key with another card': () => SUBMIT_WITH_ANOTHER_CARD,
  'by a new key': () => ({ ...FIRST_SUBMIT, key: randomUUID() }),
}

const retry = (at: number, how: keyof typeof RETRIES): Command =>
  command(`retry ${at} ${how}`, async (ledger, system) => {
    const intent = pickAt(system.intents, at)
    system.provider.planNext('ok')
    if (intent !== undefined) await system.submit(ledger, intent, RETRIES[how](), false)
  })

const confirm = (at: number): Command =>
  command(`confirm ${at} at the bank`, async (_, system) => {
    system.provider.confirmAtBank(pickAt(system.paymentsIn('requires_action'), at)?.merchantReference ?? '')
  })

const comeBack = (at: number): Command =>
  command(`come back ${at}`, async (_, system) => {
    const attempt = pickAt([...system.attempts.values()], at)
    if (attempt !== undefined) system.record(await lookUpAttempt(system.payments, attempt, 'return'))
  })

const deliver = (system: PaymentSystem, webhook: { headers: Record<string, string>; raw: string }): Promise<void> =>
  receiveWebhook(system.payments, { provider: 'bpoint', resellerId: fixture.payer.resellerId }, webhook)

/** The provider's webhooks: lost, delivered, or delivered twice and reversed. */
const webhook = (times: number): Command =>
  command(`its webhooks ${times} times`, async (_, system) => {
    const due = system.provider.takeDueWebhooks()
    for (const { raw, signature } of [...due, ...due.toReversed()].slice(0, due.length * times))
      await deliver(system, { headers: { signature }, raw })
    await processWebhookEvents(system.payments)
  })

const webhookClaiming = (at: number, kind: string): Command =>
  command(`a webhook that says ${kind} of ${at}`, async (_, system) => {
    const attempt = pickAt([...system.attempts.values()], at)
    if (attempt !== undefined) await deliver(system, signedWebhook(attempt.id, randomUUID(), kind))
    await processWebhookEvents(system.payments)
  })

const sweep = (): Command => command('sweep', async (_, system) => void (await sweepAttempts(system.payments)))

const refund = (at: number, hundredths: number): Command =>
  command(`refund ${hundredths} % of ${at}`, async (_, system) => {
    const order = pickAt(
      system.paymentsIn('succeeded').filter(({ isReversed }) => !isReversed),
      at,
    )
    if (order === undefined) return
    const left = order.amount.minor - order.refundedMinor
    system.provider.refund(order, (left * BigInt(hundredths)) / 100n)
  })

const voidAtProvider = (at: number): Command =>
  command(`void ${at} at the desk`, async (_, system) => {
    const order = pickAt(
      system.paymentsIn('succeeded').filter(({ isReversed, refundedMinor }) => !isReversed && refundedMinor === 0n),
      at,
    )
    if (order !== undefined) system.provider.void(order)
  })

const credit = (at: number): Command =>
  command(`credit ${at} and issue it again`, async (ledger, system) => {
    const [states] = await system.invoices([pickAt(ledger.ids, at) ?? 0])
    if (states === undefined || states.status === INVOICE_STATUS.paid || states.status === INVOICE_STATUS.credited) return
    await system.transact((db) => importInvoice(db, fixture.payer.customerId, states.id, 'credited', fixture.context.clock()))
    ledger.changeInvoice(states.id, 'credited')
    await issue(ledger, system, 7_000)
  })

const payElsewhere = (at: number): Command =>
  command(`pay ${at} elsewhere`, async (ledger, system) => {
    const [states] = await system.invoices([pickAt(ledger.ids, at) ?? 0])
    if (states === undefined || states.dueMinor <= 0) return
    await system.transact((db) => importInvoice(db, fixture.payer.customerId, states.id, 'paid', fixture.context.clock()))
    ledger.changeInvoice(states.id, 'paid elsewhere')
  })

const jump = (minutes: number): Command =>
  command(`${minutes} minutes later`, async (_, system) => {
    fixture.context.advance(minutes * MINUTE)
    system.provider.passTime()
  })

const BEHAVIOURS: readonly FaultCase['provider'][] = [
  'ok',
  'ok',
  'declined',
  'asks the payer',
  'settles later',
  'fails later',
  'taken back later',
  'silent, charged',
  'silent, not charged',
  'error, charged',
  'error, not charged',
  'garbage',
]
const at = fc.nat({ max: 7 })
const commandLists = fc.commands(
  [
    fc.tuple(at, fc.boolean(), fc.constantFrom(...BEHAVIOURS)).map((args) => pay(...args)),
    fc.tuple(at, fc.boolean(), fc.constantFrom(...BEHAVIOURS)).map((args) => pay(...args)),
    fc
      .tuple(at, fc.constantFrom<keyof typeof RETRIES>('by the same key', 'by the same key with another card', 'by a new key'))
      .map((args) => retry(...args)),
    at.map(confirm),
    at.map(comeBack),
    fc.constantFrom(0, 1, 2).map(webhook),
    fc.tuple(at, fc.constantFrom('paid', 'failed', 'refunded', 'cancelled')).map((args) => webhookClaiming(...args)),
    fc.constant(null).map(sweep),
    fc.tuple(at, fc.constantFrom(1, 40, 100)).map((args) => refund(...args)),
    at.map(voidAtProvider),
    at.map(credit),
    at.map(payElsewhere),
    fc.constantFrom(1, 3, 11, 61, 1_500, 4_400).map(jump),
  ],
  { maxCommands: COMMANDS, size: 'max' },
)

/** Whether the provider keeps nothing of a payment that it had charged. */
const hasGoneBack = ({ state, isReversed, refundedMinor, amount }: FakePayment): boolean =>
  state === 'voided' || (state === 'succeeded' && (isReversed || refundedMinor === amount.minor))

const holdsMoney = (order: FakePayment): boolean => order.state === 'succeeded' && !hasGoneBack(order)

/** The final status and ledger sum of a payment. What had gone back before it was known ends as if nothing had been charged. */
const expectedEnd = (order: FakePayment | undefined, wasKnown: boolean): { statuses: string[]; booked: number } => {
  if (order !== undefined && hasGoneBack(order) && !wasKnown)
    return { statuses: ['declined', 'not_sent', 'expired', ...(order.state === 'voided' ? [] : ['reversed'])], booked: 0 }
  if (order?.state === 'voided') return { statuses: ['refunded'], booked: 0 }
  if (order?.state !== 'succeeded') return { statuses: ['declined', 'not_sent', 'expired'], booked: 0 }
  if (order.isReversed) return { statuses: ['reversed'], booked: 0 }
  const booked = Number(order.amount.minor - order.refundedMinor)
  return { statuses: [booked === 0 ? 'refunded' : 'succeeded'], booked }
}

const expectEnd = async (ledger: PaymentLedger, system: PaymentSystem): Promise<void> => {
  const { resellerId, customerId } = fixture.payer
  for (const ms of WAITS) {
    fixture.context.advance(ms)
    system.provider.passTime()
    await processWebhookEvents(system.payments)
    await sweepAttempts(system.payments)
  }
  await reconcile(system.payments, resellerId, 60)
  const { reconciled } = await reconcile(system.payments, resellerId, 60)
  expect(reconciled[0]?.discrepancies, 'the lists agree in the end').toEqual([])
  const attempts = await system.transact((db) =>
    readAttempts(
      db,
      customerId,
      system.intents.map(({ intentId }) => intentId),
    ),
  )
  for (const { id, status, allocatedMinor: booked, paidMinor, succeededEvents } of attempts) {
    const wasKnown = paidMinor > 0
    if (!wasKnown) ledger.forget(id)
    expect([id, succeededEvents > 0], 'the billing engine hears of what is recorded as paid, and of nothing else').toEqual([id, wasKnown])
    const end = expectedEnd(system.provider.payments.get(id), wasKnown)
    expect([id, end.statuses.includes(status), status, booked]).toEqual([id, true, status, end.booked])
    const order = system.provider.payments.get(id)
    if (system.failed.has(id) && order !== undefined) expect(holdsMoney(order), `${id} was called failed`).toBe(false)
  }
  for (const order of system.paymentsIn('succeeded')) expect(attempts.map(({ id }) => id)).toContain(order.merchantReference)
  for (const { id, status, dueMinor } of await system.invoices(ledger.ids))
    expect({ id, status, dueMinor }).toEqual({ id, status, dueMinor, ...ledger.expected(id, system.provider.payments.values()) })
}

test('[PAY-01] whatever people, the provider, the billing engine and time do, the ledgers end as the model says', async () => {
  await fc.assert(
    fc.asyncProperty(commandLists, async (args) => {
      const [ledger, system] = [new PaymentLedger(), new PaymentSystem()]
      for (let invoice = 0; invoice < 3; invoice += 1) await issue(ledger, system, 11_000)
      try {
        await fc.asyncModelRun(() => ({ model: ledger, real: system }), args)
        await expectEnd(ledger, system)
      } finally {
        await fixture.cleanUp(true) // each run has its own provider, whose list is compared with the whole ledger
      }
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
