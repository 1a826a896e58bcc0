import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { queryAsAdministrator } from '../../support/people.ts'
import { FIRST_CHECK_MS } from '../../../src/payments/attempts/transition.rules.ts'
import { type Attempt, findAttempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { settleAttempt } from '../../../src/payments/engine/settle.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { type PaymentsDeps, transactAsReseller } from '../../../src/payments/payments-deps.ts'
import type { ProviderRefunds } from '../../../src/payments/providers/refunds.ts'
import { refundAttempt } from '../../../src/payments/reconciliation/refund.ts'
import { PausedProvider } from '../paused-provider.ts'
import { ServerProcess } from './crashing-server.ts'
import { FakeProvider } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, openFaultContext } from './fault-context.ts'
import { insertPaymentSetup, readInvoices } from './ledger.queries.ts'
import { chargeIntentOn, FIRST_SUBMIT } from './single-payment.ts'

const DAY_MS = 86_400_000
const DUE_MINOR = 11_000

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

/** An invoice with two intents for it, and a provider that can be paused. */
const prepare = async (behaviour: FaultCase['provider'] = 'ok') => {
  const { context, payer } = fixture
  const faultCase: FaultCase = {
    provider: behaviour,
    client: 'once',
    webhooks: 'lost',
    shape: 'two steps',
    meanwhile: 'nothing else',
    crash: null,
  }
  const fake = new FakeProvider(faultCase, context.clock)
  const paused = new PausedProvider(fake.provider(new ServerProcess(null)))
  const payments: PaymentsDeps = { ...context, providers: () => paused.provider, onMailQueued: () => undefined }
  const intents = [randomUUID(), randomUUID()].map((id) => ({ id, invoices: [0] }))
  const now = context.clock()
  const setup = { payer, invoiceNumbers: [`OUTDATED-${randomUUID()}`], minor: DUE_MINOR, intents, now, expiresAt: addMs(now, DAY_MS) }
  const invoices = await transactAsReseller(payments, payer.resellerId, (db) => insertPaymentSetup(db, setup))
  const pay = (at: number): Promise<Attempt> =>
    chargeIntentOn(payments, fixture, {
      intentId: intents[at]?.id ?? '',
      submit: { ...FIRST_SUBMIT, key: randomUUID() },
      isDebit: false,
    })
  const read = async (attempt: Attempt): Promise<Attempt | undefined> =>
    transactAsReseller(payments, payer.resellerId, (db) => findAttempt(db, attempt))
  const invoice = async () =>
    (await transactAsReseller(payments, payer.resellerId, (db) => readInvoices(db, payer.customerId, invoices)))[0]
  return { fake, paused, payments, pay, read, invoice }
}

const countPaid = ({ payments }: FakeProvider): number => [...payments.values()].filter(({ state }) => state === 'succeeded').length

/** The company says of an attempt that was given up that it was charged after all. */
const chargeLate = async (payments: PaymentsDeps, attempt: Attempt): Promise<void> => {
  const amount = { minor: BigInt(DUE_MINOR), currency: 'AUD' }
  const paid = { state: 'succeeded', providerRef: `late ${attempt.id}`, amount, refunded: 0n, reversed: 0n } as const
  expect(await settleAttempt(payments, attempt, paid, 'webhook')).toMatchObject({ status: 'succeeded' })
}

test('[PAY-01] a payment that is ready to be sent is not, when an earlier one turns out to have paid', async () => {
  const { fake, paused, payments, pay, invoice } = await prepare('refuses the line')
  const earlier = await pay(0)
  expect(earlier.status).toBe('not_sent')
  paused.pauseAt('before the fence', () => chargeLate(payments, earlier))
  expect(await pay(1)).toMatchObject({ status: 'not_sent' })
  expect([countPaid(fake), await invoice()]).toMatchObject([0, { status: INVOICE_STATUS.paid, dueMinor: 0 }])
})

test.each([
  [
    'what is due was lowered by somebody who leaves no mark',
    'update invoice set amount_due_minor = amount_due_minor - 1 where customer_id = $1 and amount_due_minor > 0',
  ],
  ['its look-up is due', "update payment_attempt set next_check_at = '2020-01-01' where customer_id = $1 and status = 'submitting'"],
])('[PAY-01] a payment that is ready to be sent is not, when %s', async (_, change) => {
  const { fake, paused, pay } = await prepare()
  paused.pauseAt('before the fence', () => queryAsAdministrator(fixture.context, change, [fixture.payer.customerId]))
  expect(await pay(0)).toMatchObject({ status: 'not_sent' })
  expect(countPaid(fake)).toBe(0)
})

test('[PAY-01] a payment that is sent so late that a look-up could begin is not sent', async () => {
  const { fake, paused, pay } = await prepare()
  paused.pauseAt('after the fence', async () => fixture.context.advance(FIRST_CHECK_MS - 1_000))
  expect(await pay(0)).toMatchObject({ status: 'not_sent' })
  expect(countPaid(fake)).toBe(0)
})

test.each(['while', 'afterwards'] as const)(
  '[PAY-01] a payment whose payer stands at the bank is given up there, when an earlier one turns out to have paid: %s',
  async (when) => {
    const { fake, paused, payments, pay, read } = await prepare()
    fake.planNext('error, not charged')
    paused.pauseAt('before it is prepared', async () => fixture.context.advance(3 * 60_000))
    const earlier = await pay(0)
    expect(earlier.status).toBe('not_sent')
    fake.planNext('asks the payer')
    if (when === 'while') paused.pauseAt('after the fence', () => chargeLate(payments, earlier))
    const second = await pay(1)
    expect(second.status).toBe(when === 'while' ? 'expired' : 'requires_action')
    if (when === 'afterwards') await chargeLate(payments, earlier)
    await sweepAttempts(payments)
    expect(await read(second)).toMatchObject({ status: 'expired' })
    expect(fake.payments.get(second.id)?.state).toBe('canceled')
  },
)

test('[PAY-01] a look-up that stood still does not undo a refund that was made meanwhile', async () => {
  const { fake, paused, payments, pay, read } = await prepare()
  const paid = await pay(0)
  const refund: ProviderRefunds<never>['refund'] = async (_context, { providerRef, amount }, { minor }) => {
    const payment = fake.payments.get(paid.id)
    if (payment !== undefined) fake.refund(payment, minor)
    return { state: 'succeeded', providerRef, amount, refunded: minor, reversed: 0n }
  }
  Object.assign(paused.provider, { refunds: { refund } })
  paused.pauseAt('after a look-up', () => refundAttempt(payments, paid, { amountOf: () => 4_000, operatorSaw: null }))
  await lookUpAttempt(payments, paid, 'webhook')
  expect(await read(paid)).toMatchObject({ status: 'succeeded', refundedMinor: 4_000 })
})

test('[PAY-01] a look-up that found nothing before the charge was kept by its reference frees no invoice while it is sent', async () => {
  const { fake, paused, payments, pay, invoice } = await prepare()
  const ahead = { ...payments, clock: () => addMs(fixture.context.clock(), 3 * 60_000) }
  let lookingUp: Promise<unknown> = Promise.resolve()
  let goOn = (): void => undefined
  const isFencePassed = new Promise<void>((resolve) => (goOn = resolve))
  let meanwhile: { code?: string } = {}
  paused.pauseAt('before the fence', async () => {
    await new Promise<void>((isAsked) => {
      paused.pauseAt('after a look-up', async () => {
        isAsked()
        await isFencePassed
      })
      lookingUp = sweepAttempts(ahead)
    })
    paused.pauseAt('after the fence', async () => {
      goOn()
      await lookingUp
      meanwhile = (await pay(1).catch((error: unknown) => error)) as { code?: string }
    })
  })
  expect((await pay(0)).status).toBe('succeeded')
  expect(meanwhile.code).toBe('payment_in_progress')
  expect([countPaid(fake), await invoice()]).toMatchObject([1, { status: INVOICE_STATUS.paid }])
})

test('[PAY-01] an attempt that was given up while its server stood still after the claim is never sent, whatever that server does later', async () => {
  const { fake, paused, payments, pay, invoice } = await prepare()
  const { store } = payments
  Object.assign(paused.provider, { lookUp: () => Promise.reject(new Error('a payment that was never sent is looked up nowhere')) })
  let isFirst = true
  const standsStill: PaymentsDeps['store']['transact'] = async (as, work, options) => {
    const result = await store.transact(as, work, options)
    if (!isFirst || !isClaimed(result)) return result
    isFirst = false
    fixture.context.advance(30 * 60_000)
    await sweepAttempts({ ...payments, store })
    return result
  }
  Object.assign(payments, { store: { ...store, transact: standsStill } })
  expect(await pay(0)).toMatchObject({ status: 'not_sent' })
  expect([countPaid(fake), await invoice()]).toMatchObject([0, { status: INVOICE_STATUS.open, dueMinor: DUE_MINOR }])
})

const isClaimed = (result: unknown): boolean => (result as { readonly kind?: string } | undefined)?.kind === 'claimed'
