import { describe, expect, test } from 'vitest'
import { insertRow } from '../../../test/support/people.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { addPayingCustomer, answerBankPage, paymentLinkOf, runWorkerAfter, CARDS } from '../../../test/payments/payments-fixture.ts'

const { fixture, payer } = await usePayments()

test('[BP-03] several invoices are paid with a stored card: paid at the provider, in the ledger and on each invoice', async () => {
  const [one, two] = [await payer.invoice(), await payer.invoice({ amount_due_minor: 2_550 })]
  const intent = await payer.intent(one, two)
  expect(intent).toMatchObject({ status: 1, total: 135.5, adjustmentsTotal: 0, currencySymbol: { symbol: '$' }, error: null })

  const answer = await payer.pay(intent, { cardId: await payer.storeCard() })

  expect(answer.json()).toMatchObject({ status: 'succeeded', redirectToUrl: null, intentStatus: 3 })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, total: 135.5 })
  for (const id of [one, two]) expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0, canPay: false })
})

test('[BP-01][INV-04] each invoice of an intent says when it is due, whether that has passed, and its own payment link', async () => {
  const [late, early] = [await payer.invoice({ due_on: '2026-01-31' }), await payer.invoice({ due_on: '2099-12-31' })]
  const { token } = await paymentLinkOf(fixture.context, late)
  const { invoices } = await payer.intent(late, early)
  expect(invoices).toMatchObject([
    { dateDue: '2026-01-31', isOverdue: true, payToken: token },
    { dateDue: '2099-12-31', isOverdue: false, payToken: expect.any(String) },
  ])
})

test('[BP-03] a new card of type 1 pays by the token that its script made', async () => {
  const intent = await payer.intent(await payer.invoice())
  const answer = await payer.pay(intent, {
    cardToken: await payer.cardToken(),
    cardHolder: 'Ada Payer',
    type: 'card',
    email: 'ada@example.com',
  })
  expect(answer.json()).toMatchObject({ status: 'succeeded' })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, email: 'ada@example.com' })
})

test.each([
  ['declined', CARDS.declined, /declined/i],
  ['without funds', CARDS.poor, /insufficient funds/i],
  ['expired', CARDS.expired, /expired/i],
  ['with a wrong code', CARDS.wrongCode, /security code/i],
  ['that the bank cannot process', CARDS.broken, /processing/i],
])('[BP-04] a card that is %s is refused in words, and the invoice can be paid by another', async (_, number, words) => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(number), cardHolder: 'Ada Payer' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ message: expect.stringMatching(words), userMessage: expect.stringMatching(words) })
  const [attempt] = await attemptsOf(intent.id)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4, error: expect.stringMatching(words), lastPaymentId: attempt?.id })
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  expect((await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })).json()).toMatchObject({
    status: 'succeeded',
  })
})

describe('[BP-04] a card whose bank asks', () => {
  const begun = async () => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    const answer = await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.asks), cardHolder: 'Ada Payer' })
    expect(answer.json()).toMatchObject({ status: 'requires_action', redirectToUrl: expect.stringContaining(fixture.sandbox.url) })
    const [attempt] = await attemptsOf(intent.id)
    return { invoice, intent, attempt, redirectToUrl: String(answer.json().redirectToUrl) }
  }

  test('is paid once its payer has confirmed and come back', async () => {
    const { invoice, intent, attempt, redirectToUrl } = await begun()
    const page = await answerBankPage(redirectToUrl, 'complete')
    expect(page).toContain('/payment-result?req_uid=')
    const answer = await payer.me.post('/v1/ec/payments/confirmation/result', {
      paymentIntent: attempt?.ref,
      paymentIntentClientSecret: new URL(page).searchParams.get('payment_intent_client_secret'),
      sourceType: null,
      reqUid: new URL(page).searchParams.get('req_uid'),
    })
    expect(answer.json()).toMatchObject({ status: 3, error: null, id: intent.id, receiptId: expect.any(String), payment: { total: 110 } })
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  })

  test('is declined when the bank rejects the authentication', async () => {
    const { intent, attempt, redirectToUrl } = await begun()
    const page = new URL(await answerBankPage(redirectToUrl, 'fail'))
    const answer = await payer.me.post('/v1/ec/payments/confirmation/result', {
      paymentIntent: page.searchParams.get('payment_intent'),
      paymentIntentClientSecret: page.searchParams.get('payment_intent_client_secret'),
      sourceType: page.searchParams.get('source_type'),
      reqUid: attempt?.id,
    })
    expect(answer.json()).toEqual({
      status: 4,
      error: expect.stringMatching(/authenticat/i),
      id: intent.id,
      receiptId: null,
      payment: null,
    })
  })

  test('is hidden from an address with another payment or another secret', async () => {
    const { attempt } = await begun()
    const lies = [{ paymentIntent: 'pi_other' }, { paymentIntent: attempt?.ref, paymentIntentClientSecret: 'pi_other_secret_x' }]
    for (const lie of lies)
      expect((await payer.me.post('/v1/ec/payments/confirmation/result', { reqUid: attempt?.id, ...lie })).statusCode).toBe(404)
  })

  test('can be paid again when its payer returns without having confirmed', async () => {
    const { intent, attempt } = await begun()
    const answer = await payer.me.post('/v1/ec/payments/confirmation/result', { reqUid: attempt?.id, paymentIntent: attempt?.ref })
    expect(answer.json()).toMatchObject({ status: 4, id: intent.id })
    expect((await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })).json()).toMatchObject({
      status: 'succeeded',
    })
  })

  test('is cancelled when another card is sent instead, so that never both are charged', async () => {
    const { intent } = await begun()
    expect((await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })).json()).toMatchObject({
      status: 'succeeded',
    })
  })

  test('is cancelled when it is not confirmed within an hour', async () => {
    const { invoice, intent } = await begun()
    await runWorkerAfter(fixture, 61 * 60_000)
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4 })
    expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  })
})

test('[BP-01] every adjustment says what it is for: before it is paid, in the intent, and afterwards; nobody sees those of another customer', async () => {
  const [owner, stranger] = [await addPayingCustomer(fixture), await addPayingCustomer(fixture)]
  const owed = { external_id: null, currency: 'AUD', settled_at: null }
  const add = (customer: typeof owner, amount_minor: number, description: string, more: object = {}) =>
    insertRow(fixture.context, customer.resellerId, 'payment_adjustment', {
      ...owed,
      customer_id: customer.customerId,
      amount_minor,
      description,
      ...more,
    })
  await add(owner, 1_250, 'Late payment fee, August')
  await add(owner, 500, 'Moved house')
  await add(owner, 900, 'In another currency', { currency: 'EUR' })
  await add(owner, 700, 'Settled long ago', { settled_at: fixture.context.clock() })
  await add(stranger, 300, "A stranger's own")
  const listed = async (customer: typeof owner) => (await customer.me.get('/v1/ec/settings')).json().payments.adjustments

  expect(await listed(owner)).toEqual([
    { description: 'Late payment fee, August', amount: 12.5, currency: 'AUD', currencySymbol: '$' },
    { description: 'Moved house', amount: 5, currency: 'AUD', currencySymbol: '$' },
    { description: 'In another currency', amount: 9, currency: 'EUR', currencySymbol: 'EUR' },
  ])
  expect(await listed(stranger)).toMatchObject([{ description: "A stranger's own" }])
  const adjustments = [
    { description: 'Late payment fee, August', amount: 12.5 },
    { description: 'Moved house', amount: 5 },
  ]
  const intent = await owner.intent(await owner.invoice())
  expect(intent).toMatchObject({ adjustmentsTotal: 17.5, adjustments })
  await owner.pay(intent, { cardId: await owner.storeCard() })
  expect(await owner.readIntent(intent.id)).toMatchObject({ status: 3, adjustments, payment: { adjustmentsTotal: 17.5, adjustments } })
  expect(await listed(owner)).toMatchObject([{ description: 'In another currency' }])
})

/** The attempts of an intent, oldest first. */
const attemptsOf = async (intentId: string): Promise<{ id: string; ref: string; status: string }[]> =>
  (
    await fixture.context.store.transact({ role: 'counterfoil_reseller', resellerId: payer.resellerId }, (db) =>
      db
        .selectFrom('payment_attempt')
        .select(['id', 'provider_ref as ref', 'status'])
        .where('intent_id', '=', intentId)
        .orderBy('created_at')
        .execute(),
    )
  ).map((row) => ({ ...row, ref: row.ref ?? '' }))
