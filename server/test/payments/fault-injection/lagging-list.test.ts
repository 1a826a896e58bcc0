import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Attempt, type AttemptKey, findAttempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { type FaultContext, openFaultContext } from './fault-context.ts'
import { chargeIntentOn, FIRST_SUBMIT, preparePayment, SUBMIT_WITH_ANOTHER_CARD } from './single-payment.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

const sweepAfter = async (payments: PaymentsDeps, key: AttemptKey, ms: number): Promise<Attempt | undefined> => {
  fixture.context.advance(ms)
  await sweepAttempts(payments)
  return transactAsReseller(payments, key.resellerId, (db) => findAttempt(db, key))
}

test('[PAY-01] a payment that the provider lists only minutes later is not taken for one that never was', async () => {
  const { provider, payments, intentIds } = await preparePayment(fixture, 'silent, charged', 'one call, lagging list')
  const pay = (submit: typeof FIRST_SUBMIT) => chargeIntentOn(payments, fixture, { intentId: intentIds[0] ?? '', submit, isDebit: false })
  const attempt = await pay(FIRST_SUBMIT)
  expect(attempt.status).toBe('unknown')
  for (const minutes of [1, 2]) {
    expect(await sweepAfter(payments, attempt, minutes * MINUTE)).toMatchObject({ status: 'unknown' })
    provider.passTime()
    expect(await pay(SUBMIT_WITH_ANOTHER_CARD)).toMatchObject({ id: attempt.id, status: 'unknown' })
  }
  expect(await sweepAfter(payments, attempt, 6 * MINUTE)).toMatchObject({ status: 'succeeded' })
  expect([...provider.payments.values()].map(({ state }) => state)).toEqual(['succeeded'])
})

test('[PAY-01] what such a provider does not list after its time was never charged, and its invoice can be paid', async () => {
  const { provider, payments, intentIds } = await preparePayment(fixture, 'silent, not charged', 'one call, lagging list')
  const pay = (submit: typeof FIRST_SUBMIT) => chargeIntentOn(payments, fixture, { intentId: intentIds[0] ?? '', submit, isDebit: false })
  const attempt = await pay(FIRST_SUBMIT)
  for (const minutes of [1, 2, 6]) expect(await sweepAfter(payments, attempt, minutes * MINUTE)).toMatchObject({ status: 'unknown' })
  expect(await sweepAfter(payments, attempt, 16 * MINUTE)).toMatchObject({ status: 'not_sent' })
  expect(await pay(SUBMIT_WITH_ANOTHER_CARD)).toMatchObject({ status: 'succeeded' })
  expect([...provider.payments.values()].filter(({ state }) => state === 'succeeded')).toHaveLength(1)
})

test('[PAY-01] where finding nothing never proves anything, a person decides', async () => {
  const { payments, intentIds } = await preparePayment(fixture, 'silent, not charged', 'one call, lagging list')
  const provider = payments.providers?.('bpoint')
  if (provider === undefined) throw new Error('the provider is not there')
  const unsure: PaymentsDeps = { ...payments, providers: () => ({ ...provider, notFoundMeansUnpaidAfterMs: null }) }
  const attempt = await chargeIntentOn(unsure, fixture, { intentId: intentIds[0] ?? '', submit: FIRST_SUBMIT, isDebit: false })
  let swept: Attempt | undefined = attempt
  for (let times = 0; times < 20 && swept?.status === 'unknown'; times += 1) swept = await sweepAfter(unsure, attempt, 1.1 * DAY)
  expect(swept).toMatchObject({ status: 'manual', nextCheckAt: null })
})
