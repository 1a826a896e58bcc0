import { expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { runWorkerAfter } from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { findAccount } from '../accounts/accounts.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import { chargeIntent } from './charge.ts'
import { lookUpAttempt } from './look-up.ts'
import { sweepAttempts } from './sweep.ts'

const { fixture, payer } = await usePayments()

const MINUTE = 60_000

const readAttempt = async (intentId: string): Promise<{ id: string; status: string }> => {
  const [attempt = { id: '', status: '' }] = await queryAsAdministrator<{ id: string; status: string }>(
    fixture.context,
    'select id::text, status from payment_attempt where intent_id = $1',
    [intentId],
  )
  return attempt
}

test('[PAY-01] a charge that may still be in transit is not given up, however often it is asked for', async () => {
  const intent = await payer.intent(await payer.invoice())
  const cardId = await payer.storeCard()
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: false })
  await payer.pay(intent, { cardId })
  const { id } = await readAttempt(intent.id)
  for (let times = 0; times < 4; times += 1)
    expect(await lookUpAttempt(fixture.payments, { ...payer, id }, 'webhook')).toMatchObject({ status: 'unknown' })
  await runWorkerAfter(fixture, 3 * MINUTE)
  expect(await readAttempt(intent.id)).toMatchObject({ status: 'expired' })
})

test('[PAY-01] one look-up alone gives up nothing, however late it comes', async () => {
  const intent = await payer.intent(await payer.invoice())
  const cardId = await payer.storeCard()
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: false })
  await payer.pay(intent, { cardId })
  await runWorkerAfter(fixture, 20 * MINUTE)
  expect(await readAttempt(intent.id)).toMatchObject({ status: 'unknown' })
  await runWorkerAfter(fixture, 3 * MINUTE)
  expect(await readAttempt(intent.id)).toMatchObject({ status: 'expired' })
})

test('[PAY-01] a payment that is given up between its claim and its submission is not sent', async () => {
  const [intent, cardToken] = [await payer.intent(await payer.invoice()), await payer.cardToken()]
  const { store } = fixture.payments
  let isClaimed = false
  // The process stands still after the claim, for longer than an attempt may take to be submitted.
  const paused: PaymentsDeps = {
    ...fixture.payments,
    store: {
      ...store,
      transact: async (as, work, options) => {
        if (options?.pipelined === true && !isClaimed) {
          isClaimed = true
          fixture.context.advance(3 * MINUTE)
          await sweepAttempts(fixture.payments)
        }
        return store.transact(as, work, options)
      },
    },
  }
  const account = await findAccount(fixture.payments, payer.resellerId)
  if (account === null) throw new Error('the provider is not connected')
  const attempt = await chargeIntent(paused, account, payer, {
    intentId: intent.id,
    source: { card: { typedMethod: { kind: 'token', token: cardToken }, holder: 'Ada Payer' } },
    methodId: null,
    methodType: 'card',
    isDebit: false,
    submission: null,
    receiptEmail: null,
    shownMinor: null,
    returnUrl: null,
    client: null,
  })
  expect([isClaimed, attempt.status]).toEqual([true, 'not_sent'])
  expect((await fixture.sandbox.ledger()).some(({ reference }) => reference === attempt.id)).toBe(false)
})
