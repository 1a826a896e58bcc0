import { describe, expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { lookUpAttempt } from './look-up.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { runWorkerAfter, payByLink } from '../../../test/payments/payments-fixture.ts'

const { fixture, payer } = await usePayments()

const DAY = 24 * 3_600_000

const submitDebit = async (number?: string) => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const answer = await payer.pay(intent, { cardId: await payer.storeDebit(number), type: 'au_becs_debit' })
  return { invoice, intent, answer }
}

/** The provider's id of the charge for an intent. */
const findChargeId = async (intentId: string): Promise<string> => {
  const [attempt] = await queryAsAdministrator<{ id: string }>(
    fixture.context,
    'select id::text from payment_attempt where intent_id = $1',
    [intentId],
  )
  const charge = (await fixture.sandbox.ledger()).find(({ reference }) => reference === attempt?.id)
  return charge?.id ?? ''
}

const listEventKinds = async (intentId: string): Promise<string[]> =>
  (
    await queryAsAdministrator<{ kind: string }>(
      fixture.context,
      "select kind from payment_outbox where payload->>'intentId' = $1 order by id",
      [intentId],
    )
  ).map(({ kind }) => kind)

describe('[PM-11] a debit that settles days later', () => {
  test('stands as in collection, cannot be paid again, and is paid once it has settled', async () => {
    const { invoice, intent, answer } = await submitDebit()
    expect(answer.json(), answer.body).toMatchObject({ status: 'processing', redirectToUrl: null, intentStatus: 2 })
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 7, canPay: false })
    expect((await payByLink(fixture, invoice, await payer.cardToken())).statusCode).toBe(409)

    expect(await fixture.sandbox.settle(await findChargeId(intent.id), 'succeeded')).toBe(200)
    await runWorkerAfter(fixture, DAY)

    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    expect(await listEventKinds(intent.id)).toEqual(['payment.processing', 'payment.succeeded'])
  })

  test('and fails: opens the invoice again, which can then be paid', async () => {
    const { invoice, intent } = await submitDebit()
    expect(await fixture.sandbox.settle(await findChargeId(intent.id), 'failed')).toBe(200)
    await runWorkerAfter(fixture, DAY)
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4, error: expect.any(String) })
    expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true, amountDue: 110 })
    expect(await listEventKinds(intent.id)).toEqual(['payment.processing', 'payment.failed'])
    expect((await payByLink(fixture, invoice, await payer.cardToken())).json()).toMatchObject({ status: 'succeeded' })
  })

  test('settles, and comes back: the ledger has both, and the invoice is open again', async () => {
    const { invoice, intent } = await submitDebit()
    const charge = await findChargeId(intent.id)
    await fixture.sandbox.settle(charge, 'succeeded')
    await runWorkerAfter(fixture, DAY)
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })

    expect(await fixture.sandbox.settle(charge, 'returned')).toBe(200)
    await lookUpIntent(intent.id)

    expect(await payer.readInvoice(invoice)).toMatchObject({ amountDue: 110, canPay: true })
    // Its intent is closed; another one pays the invoice.
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 0, error: null })
    expect((await payer.pay(intent, { cardId: await payer.storeCard() })).statusCode).toBe(409)
    expect(await listEventKinds(intent.id)).toEqual(['payment.processing', 'payment.succeeded', 'payment.reversed'])
    const entries = await queryAsAdministrator<{ kind: string; amount: number }>(
      fixture.context,
      'select kind, a.amount_minor::int as amount from payment_allocation a join payment_attempt t on t.id = a.attempt_id where intent_id = $1 order by entry_no',
      [intent.id],
    )
    expect(entries).toEqual([
      { kind: 'pay', amount: 11_000 },
      { kind: 'reversal', amount: -11_000 },
    ])
    expect((await payer.pay(await payer.intent(invoice), { cardId: await payer.storeCard() })).json()).toMatchObject({
      status: 'succeeded',
    })
  })

  test.each([
    ['nothing is left of it', 0, 0],
    ['what was paid stands to the customer’s credit', -11_000, 0],
    ['more than was paid stands to the customer’s credit', -15_000, -40],
  ])('settles, is credited by the billing engine, and comes back: nothing is owed (%s)', async (_, creditMinor, amountDue) => {
    const { invoice, intent } = await submitDebit()
    const charge = await findChargeId(intent.id)
    await fixture.sandbox.settle(charge, 'succeeded')
    await runWorkerAfter(fixture, DAY)
    await queryAsAdministrator(
      fixture.context,
      'update invoice set status = 9, amount_due_minor = $2::bigint, amount_minor = case when $2 < 0 then $2 else amount_minor end where id = $1',
      [invoice, creditMinor],
    )

    expect(await fixture.sandbox.settle(charge, 'returned')).toBe(200)
    await lookUpIntent(intent.id)

    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 9, isCredited: true, amountDue, canPay: false })
    expect(await listEventKinds(intent.id)).toContain('payment.reversed')
  })

  test('of an account that the bank refuses at once is declined in words', async () => {
    const { intent, answer } = await submitDebit('343434343')
    expect(answer.statusCode).toBe(400)
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4 })
  })
})

test('[PAY-01] a refund at the provider is recorded, sent to the billing engine, and leaves the invoice paid', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await payer.pay(intent, { cardId: await payer.storeCard() })
  const [attempt] = await queryAsAdministrator<{ ref: string }>(
    fixture.context,
    'select provider_ref as ref from payment_attempt where intent_id = $1',
    [intent.id],
  )
  for (const [amount, left] of [
    ['4000', 7_000],
    ['7000', 0],
  ] as const) {
    await fixture.sandbox.stripe('/v1/refunds', { payment_intent: attempt?.ref ?? '', amount }, payer.keys.secret)
    await lookUpIntent(intent.id)
    const [entries] = await queryAsAdministrator<{ sum: number }>(
      fixture.context,
      'select sum(a.amount_minor)::int as sum from payment_allocation a join payment_attempt t on t.id = a.attempt_id where intent_id = $1',
      [intent.id],
    )
    expect(entries?.sum).toBe(left)
  }
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  expect(await listEventKinds(intent.id)).toEqual(['payment.succeeded', 'payment.refunded', 'payment.refunded'])
})

const lookUpIntent = async (intentId: string): Promise<void> => {
  const [attempt] = await queryAsAdministrator<{ id: string }>(
    fixture.context,
    'select id::text from payment_attempt where intent_id = $1',
    [intentId],
  )
  await lookUpAttempt(fixture.payments, { ...payer, id: attempt?.id ?? '' }, 'webhook')
}
