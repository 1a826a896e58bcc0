import { describe, expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { sendRequest } from '../../../test/support/http-client.ts'
import { lookUpAttempt } from './look-up.ts'
import { addBrand, addCustomer, addInvoice, addReseller, queryAsAdministrator, changeReseller } from '../../../test/support/people.ts'
import {
  addPayingCustomer,
  runWorkerAfter,
  CARDS,
  paymentLinkOf,
  payByLink,
  type PayingCustomer,
} from '../../../test/payments/payments-fixture.ts'

const { fixture, payer } = await usePayments()

const CARD = { cardHolder: 'Ada Payer' }

/** How many charges the provider has made in all. */
const countCharges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

const listStatuses = async (intentId: string): Promise<string[]> =>
  (
    await queryAsAdministrator<{ status: string }>(
      fixture.context,
      'select status from payment_attempt where intent_id = $1 order by created_at',
      [intentId],
    )
  ).map(({ status }) => status)

describe('[PAY-01] an answer that does not come', () => {
  test.each([
    ['charged, line cut', { operation: 'charge', kind: 'drop', booked: true }, 3],
    ['not charged, line cut', { operation: 'charge', kind: 'drop', booked: false }, 4],
    ['charged, answered too late', { operation: 'charge', kind: 'slow', ms: 2_500, booked: true }, 3],
    ['not charged, answered too late', { operation: 'charge', kind: 'slow', ms: 2_500, booked: false }, 4],
    ['charged, answered with an error', { operation: 'charge', kind: 'error', booked: true }, 3],
    ['not charged, answered with an error', { operation: 'charge', kind: 'error', booked: false }, 4],
    ['charged, answered with a web page', { operation: 'charge', kind: 'garbage', booked: true }, 3],
    ['not charged, answered with a web page', { operation: 'charge', kind: 'garbage', booked: false }, 4],
    ['charged, answered with another amount', { operation: 'charge', kind: 'wrong-amount', booked: true }, 3],
    ['charged, answered as a repetition', { operation: 'charge', kind: 'twice', booked: true }, 3],
  ] as const)('%s: is unknown, blocks a second payment, and is looked up', async (_, fault, ends) => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    await fixture.sandbox.fault(fault)
    const answer = await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
    expect(answer.json(), answer.body).toMatchObject({ status: 'processing', redirectToUrl: null, intentStatus: 2 })
    expect(await listStatuses(intent.id)).toEqual(['unknown'])
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
    expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: false })

    for (const minutes of [1, 3, 6, 16]) await runWorkerAfter(fixture, minutes * 60_000)

    expect(await payer.readIntent(intent.id)).toMatchObject({ status: ends })
    expect(await payer.readInvoice(invoice)).toMatchObject(ends === 3 ? { invoiceStatus: 11 } : { canPay: true })
  })

  test('of making the payment known moves nothing: it is not sent, and can be tried again at once', async () => {
    for (const kind of ['drop', 'error', 'garbage', 'refuse'] as const) {
      const intent = await payer.intent(await payer.invoice())
      await fixture.sandbox.fault({ operation: 'payment', kind })
      const answer = await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
      expect([kind, answer.statusCode]).toEqual([kind, 503])
      expect(answer.json()).toMatchObject({ userMessage: expect.stringContaining('Nothing was charged') })
      expect((await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })).json()).toMatchObject({ status: 'succeeded' })
    }
  })

  test('at all, look-ups too, leaves it to an operator after the last look-up, and the invoice blocked', async () => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: true })
    await fixture.sandbox.fault({ operation: 'lookup', kind: 'error', times: 12 })
    await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
    for (let day = 0; day < 12; day += 1) await runWorkerAfter(fixture, 25 * 3_600_000)
    expect(await listStatuses(intent.id)).toEqual(['manual'])
    expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: false })
    expect((await payByLink(fixture, invoice, await payer.cardToken())).statusCode).toBe(409)

    const [attempt] = await queryAsAdministrator<{ id: string }>(fixture.context, 'select id from payment_attempt where intent_id = $1', [
      intent.id,
    ])
    await lookUpAttempt(fixture.payments, { ...payer, id: attempt?.id ?? '' }, 'operator')
    expect(await listStatuses(intent.id)).toEqual(['succeeded'])
  })
})

describe('[PAY-01] [SP-05] the same payment at the same time', () => {
  test('two intents with the same invoice, and its link, make one charge', async () => {
    const before = await countCharges()
    const [shared, other] = [await payer.invoice(), await payer.invoice()]
    const [first, second] = [await payer.intent(shared), await payer.intent(other, shared)]
    const cardId = await payer.storeCard()
    const token = await payer.cardToken()
    const answers = await Promise.all([payer.pay(first, { cardId }), payer.pay(second, { cardId }), payByLink(fixture, shared, token)])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await countCharges()) - before).toBe(1)
  })

  test('what is paid is refused from everywhere, in the words of the page', async () => {
    const invoice = await payer.invoice()
    const [first, late] = [await payer.intent(invoice), await payer.intent(invoice)]
    const cardId = await payer.storeCard()
    await payer.pay(first, { cardId })
    const before = await countCharges()
    const words = 'The invoice has already been paid. No further payments required.'
    expect((await payByLink(fixture, invoice, await payer.cardToken())).json()).toMatchObject({ userMessage: words })
    const again = await payer.pay(late, { cardId })
    expect([again.statusCode, again.json().userMessage]).toEqual([409, words])
    expect((await payer.me.post('/v1/ec/payments/intents', { invoiceIds: [invoice] })).statusCode).toBe(409)
    expect(await payer.readIntent(late.id)).toMatchObject({ status: 0 })
    expect((await payer.pay(first, { cardId })).json()).toMatchObject({ status: 'succeeded' })
    expect((await countCharges()) - before).toBe(0)
  })
})

describe('[PAY-01] what is asked for', () => {
  test.each([['0.01'], ['110.01'], ['11000'], ['1e2'], ['110,00'], ['-110.00'], ['']])(
    '[SP-03] an amount of "%s" for an invoice of 110.00 is refused, and nothing is charged',
    async (invoiceAmount) => {
      const before = await countCharges()
      const answer = await payByLink(fixture, await payer.invoice(), await payer.cardToken(), { invoiceAmount })
      expect(answer.statusCode).toBe(409)
      expect((await countCharges()) - before).toBe(0)
    },
  )

  test('what was shown a day ago is not paid', async () => {
    const intent = await payer.intent(await payer.invoice())
    const cardId = await payer.storeCard()
    fixture.context.advance(25 * 3_600_000)
    const answer = await payer.pay(intent, { cardId })
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'amount_changed' }])
  })

  test('what has changed since it was shown is not paid', async () => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    await queryAsAdministrator(fixture.context, 'update invoice set amount_due_minor = 10000 where id = $1', [invoice])
    const answer = await payer.pay(intent, { cardId: await payer.storeCard() })
    expect(answer.statusCode).toBe(409)
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 0 })
  })

  test('what was credited since is not paid, even where an amount due is left', async () => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    // As imports left it before they were checked for debts that cannot be.
    await queryAsAdministrator(fixture.context, 'alter table invoice drop constraint invoice_debt')
    await queryAsAdministrator(fixture.context, 'update invoice set status = 9 where id = $1', [invoice])
    await queryAsAdministrator(
      fixture.context,
      'alter table invoice add constraint invoice_debt check (invoice_debt_fault(status, amount_minor, amount_due_minor) is null) not valid',
    )
    expect((await payer.pay(intent, { cardId: await payer.storeCard() })).statusCode).toBe(409)
  })

  test.each([
    ['foreign', async () => [await foreignInvoice()], 404],
    ['missing', async () => [987_654_321], 404],
    ['own and foreign', async () => [await payer.invoice(), await foreignInvoice()], 404],
    ['paid', async () => [await payer.invoice({ status: 11, amount_due_minor: 0 })], 409],
    ['credited', async () => [await payer.invoice({ status: 9 })], 409],
    ['a credit note', async () => [await payer.invoice({ status: 9, amount_minor: -500 })], 409],
    ['in collection', async () => [await payer.invoice({ status: 7 })], 409],
    ['of two currencies', async () => [await payer.invoice(), await payer.invoice({ currency: 'USD' })], 409],
    ['none', async () => [], 400],
    ['the same twice', async () => [1, 1], 400],
    ['ten thousand', async () => Array.from({ length: 10_000 }, (_, at) => at + 1), 400],
  ] as const)('[INV-03] an intent of invoices that are %s is refused', async (_, ids, status) => {
    const answer = await payer.me.post('/v1/ec/payments/intents', { invoiceIds: await ids() })
    expect([answer.statusCode, answer.json()]).toEqual([status, expect.objectContaining({ message: expect.any(String) })])
  })

  const foreignInvoice = async (): Promise<number> => {
    const resellerId = await addReseller(fixture.context)
    return addInvoice(
      fixture.context,
      resellerId,
      await addCustomer(fixture.context, resellerId, await addBrand(fixture.context, resellerId)),
    )
  }

  test("another customer's method and another customer's intent are not there", async () => {
    const stranger = await addPayingCustomer(fixture)
    const intent = await payer.intent(await payer.invoice())
    const cardId = await stranger.storeCard()
    expect((await payer.pay(intent, { cardId })).statusCode).toBe(404)
    expect((await stranger.pay(intent, { cardId })).statusCode).toBe(404)
    expect((await stranger.me.get(`/v1/ec/payments/intents/${intent.id}`)).statusCode).toBe(404)
    expect((await stranger.me.post('/v1/ec/payments/confirmation/result', { reqUid: intent.id })).statusCode).toBe(404)
  })

  test('a card number or code is not taken', async () => {
    const intent = await payer.intent(await payer.invoice())
    const answer = await payer.pay(intent, { cardNumber: '4242 4242 4242 4242', expirationDate: '2031-12', cardCode: '123', ...CARD })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).not.toContain('4242')
  })
})

describe('[BP-06] [SP-06] what is switched off', () => {
  const payerWithout = async (off: object): Promise<PayingCustomer> => {
    const other = await addPayingCustomer(fixture)
    await changeReseller(fixture.context, other.resellerId, off)
    return other
  }

  test('payments.bulk off: intents and bulk pay are refused, the link is not', async () => {
    const other = await payerWithout({ payments_bulk: false })
    const invoice = await other.invoice()
    expect((await other.me.post('/v1/ec/payments/intents', { invoiceIds: [invoice] })).statusCode).toBe(403)
    expect((await other.pay({ sessionId: 'x' }, { cardId: 'y' })).statusCode).toBe(403)
    expect((await payByLink(fixture, invoice, await other.cardToken())).json()).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    ['payments off', { payments_enabled: false }],
    ['payment type 0', { payment_type: 0 }],
  ])('%s: nothing can be paid, nor stored', async (_, off) => {
    const other = await payerWithout(off)
    const invoice = await other.invoice()
    const token = await other.cardToken()
    expect((await payByLink(fixture, invoice, token)).statusCode).toBe(403)
    expect((await other.me.post('/v1/ec/payments/intents', { invoiceIds: [invoice] })).statusCode).toBe(403)
    expect((await other.me.post('/v1/ec/payments/cards', { token })).statusCode).toBe(403)
    const { token: link } = await paymentLinkOf(fixture.context, invoice)
    expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${link}` })).json()).toMatchObject({ paymentType: 0 })
  })

  test("another provider's customers find nothing at these paths", async () => {
    const other = await payerWithout({ payment_type: 5 })
    expect((await other.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    expect((await other.me.post('/v1/ec/payments/cards', { token: 'pm_card_visa' })).statusCode).toBe(404)
  })

  test('a gateway without credentials is not configured, in the words of the page', async () => {
    const resellerId = await addReseller(fixture.context, { payment_type: 1, payments_enabled: true })
    const invoice = await addInvoice(
      fixture.context,
      resellerId,
      await addCustomer(fixture.context, resellerId, await addBrand(fixture.context, resellerId)),
    )
    const { token } = await paymentLinkOf(fixture.context, invoice)
    expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({ apiStatus: false })
    const answer = await payByLink(fixture, invoice, 'pm_card_visa')
    expect([answer.statusCode, answer.json().userMessage]).toEqual([
      503,
      expect.stringContaining('Payment gateway is not configured properly'),
    ])
  })
})

test('[BP-04] a declined card gets the provider’s message, and a repeated submission gets the same; another card is another submission', async () => {
  const intent = await payer.intent(await payer.invoice())
  const key = { 'idempotency-key': 'a-declined-submission' }
  const poor = { cardToken: await payer.cardToken(CARDS.poor), ...CARD }
  const answer = await payer.pay(intent, poor, key)
  const again = await payer.pay(intent, poor, key)
  expect([again.statusCode, again.body]).toEqual([400, answer.body])
  expect(await listStatuses(intent.id)).toEqual(['declined'])
  const other = { cardToken: await payer.cardToken(CARDS.good), ...CARD }
  expect((await payer.pay(intent, other, key)).json()).toMatchObject({ status: 'succeeded' })
  expect((await payer.pay(intent, other, key)).json()).toMatchObject({ status: 'succeeded' })
  // At one instant of the clock neither comes first.
  expect((await listStatuses(intent.id)).toSorted()).toEqual(['declined', 'succeeded'])
})
