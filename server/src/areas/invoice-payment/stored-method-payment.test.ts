import { addBankingDays } from '../../payments/providers/debits.ts'
import { expect, test } from 'vitest'
import { insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { sendRequest } from '../../../test/support/http-client.ts'
import {
  addPayingCustomer,
  answerBankPage,
  CARDS,
  type PayingCustomer,
  payByLink,
  paymentLinkOf,
} from '../../../test/payments/payments-fixture.ts'
import { dayAfter, expectedDayOf } from '../../../test/payments/expected-day.ts'
import { setDebitDays } from '../../../test/payments/payment-commands.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'

const { fixture, payer } = await usePayments()

const payStored = async (who: PayingCustomer, invoice: number, more: object, headers: Record<string, string> = {}) => {
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  return who.me.post(`/v1/ec/pay/${token}/stored-method`, { invoiceNumber: number, invoiceAmount: '110.00', ...more }, headers)
}

const readPayer = async (who: PayingCustomer, invoice: number) =>
  who.me.get(`/v1/ec/pay/${(await paymentLinkOf(fixture.context, invoice)).token}/payer`)

test('[EASE-02] a bank account is added in Payment Types where the reseller takes debits and customers see that screen', async () => {
  for (const [changes, adds] of [
    [{}, true],
    [{ direct_debit_payment_method_id: null }, false],
    [{ hide_payment_types_for_customer_users: true }, false],
  ] as const) {
    const one = await addPayingCustomer(fixture, changes)
    expect((await readPayer(one, await one.invoice())).json()).toMatchObject({ addsBankAccounts: adds })
  }
})

test('[EASE-02] [EASE-03] one invoice is paid with a stored card where several may not be paid at once, and the answer says what was paid', async () => {
  const single = await addPayingCustomer(fixture, { payments_bulk: false })
  const rule = { reseller_id: single.resellerId, line: 'CREDIT_CARD_FEE', currency: 'AUD', percent: '2.95', fixed_minor: 0 } as const
  await insertRow(fixture.context, single.resellerId, 'payment_fee_rule', rule)
  const [invoice, cardId] = [await single.invoice(), await single.storeCard()]
  const { number } = await paymentLinkOf(fixture.context, invoice)
  expect((await single.me.post('/v1/ec/payments/intents', { invoiceIds: [invoice] })).statusCode).toBe(403)
  expect((await readPayer(single, invoice)).json()).toEqual({
    invoiceId: invoice,
    invoiceLabelPlural: 'Invoices',
    addsBankAccounts: true,
    receiptEmail: null,
    payment: null,
  })

  const answer = await payStored(single, invoice, { cardId, email: 'ada@example.com' })
  expect(answer.json(), answer.body).toEqual({
    status: 'succeeded',
    redirectToUrl: null,
    intentStatus: 3,
    payment: {
      id: expect.any(String),
      reference: expect.stringMatching(/^[\dA-F]{4}-[\dA-F]{4}$/),
      date: expect.any(String),
      method: 'Visa •••• 4242',
      invoices: [{ invoiceNumber: number, invoiceAmount: 110 }],
      adjustmentsTotal: 0,
      adjustments: [],
      fee: { name: 'Credit Card Fee', amount: 3.25 },
      total: 113.25,
      currency: 'AUD',
      currencySymbol: '$',
      email: 'ada@example.com',
      hasReceipt: true,
      isDebit: false,
      isUnderReview: false,
      unknownOutcome: null,
      expectedOn: null,
    },
  })
  const { payment } = answer.json()
  expect(await single.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  expect((await fixture.sandbox.ledger()).at(-1)).toMatchObject({ amount: 11_325, status: 'succeeded' })
  // The same reference stands in the payment history, and at the end of the receipt's number.
  const history = (await single.me.get(`/v1/ec/invoices/${invoice}/payments`)).json()
  expect(history.payments).toMatchObject([{ id: payment.id, reference: payment.reference, expectedOn: null }])
  const receipt = await single.me.get(`/v1/ec/payments/receipts/${payment.id}`)
  expect(receipt.headers['content-disposition']).toContain(payment.reference.replace('-', ''))
  // Where the receipt went is remembered, and the payment can be read again.
  expect((await readPayer(single, await single.invoice())).json()).toMatchObject({ receiptEmail: 'ada@example.com', payment: null })
  expect((await readPayer(single, invoice)).json().payment).toEqual({ ...payment, email: null })
  // What the profile says is offered before it.
  await single.me.put('/v1/ec/profile', { numberLocale: null, receiptEmail: 'bills@example.com' })
  expect((await readPayer(single, await single.invoice())).json()).toMatchObject({ receiptEmail: 'bills@example.com' })
})

test('[EASE-02] a link of another customer, and an unknown one, is not found; nobody who is not signed in pays with a stored method', async () => {
  const other = await addPayingCustomer(fixture)
  const [invoice, cardId, otherCard] = [await payer.invoice(), await payer.storeCard(), await other.storeCard()]
  for (const card of [cardId, otherCard]) expect((await payStored(other, invoice, { cardId: card })).statusCode).toBe(404)
  expect((await readPayer(other, invoice)).statusCode).toBe(404)
  expect((await payer.me.get('/v1/ec/pay/there-is-no-such-link-0123456789/payer')).statusCode).toBe(404)
  expect((await payStored(payer, invoice, { cardId: otherCard })).statusCode).toBe(404)
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  const payload = { invoiceNumber: number, invoiceAmount: '110.00', cardId }
  expect((await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${token}/stored-method`, payload })).statusCode).toBe(401)
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
})

test('[EASE-02] where payments are off a stored method pays nothing', async () => {
  const closed = await addPayingCustomer(fixture)
  const [invoice, cardId] = [await closed.invoice(), await closed.storeCard()]
  await queryAsAdministrator(fixture.context, 'update reseller set payments_enabled = false where id = $1', [closed.resellerId])
  const answer = await payStored(closed, invoice, { cardId })
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'payments_unavailable'])
})

test('[EASE-02] [SP-05] a paid invoice, another amount, another invoice, another type and a double key: refused, or answered again', async () => {
  const [invoice, cardId] = [await payer.invoice(), await payer.storeCard()]
  expect((await payStored(payer, invoice, { cardId, invoiceAmount: '1.00' })).json().code).toBe('amount_changed')
  expect((await payStored(payer, invoice, { cardId, invoiceNumber: 'INV-0' })).statusCode).toBe(400)
  expect((await payStored(payer, invoice, { cardId, type: 'au_becs_debit' })).statusCode).toBe(400)
  const key = { 'idempotency-key': 'one press of the button' }
  const first = await payStored(payer, invoice, { cardId }, key)
  expect(first.json()).toMatchObject({ status: 'succeeded' })
  expect((await payStored(payer, invoice, { cardId }, key)).json()).toEqual(first.json())
  expect((await payStored(payer, invoice, { cardId })).json().code).toBe('already_paid')
  // By the key of the press, the public link answers with the same payment.
  expect((await payByLink(fixture, invoice, await payer.cardToken(), {}, key)).json()).toEqual(first.json())
})

/** Stores a card whose bank asks, when it is stored and each time it pays. */
const storeAskingCard = async (): Promise<string> => {
  const known = new Set((await payer.me.get('/v1/ec/payments/cards')).json().map(({ id }: { id: string }) => id))
  const started = await payer.me.post('/v1/ec/payments/cards', { token: await payer.cardToken(CARDS.asks) })
  await answerBankPage(started.json().redirectToUrl, 'complete')
  const cards: { id: string }[] = (await payer.me.get('/v1/ec/payments/cards')).json()
  return cards.find(({ id }) => !known.has(id))?.id ?? ''
}

test('[EASE-02] a card that is declined is told in words, and a card whose bank asks comes back to the page of the link', async () => {
  const [invoice, asking] = [await payer.invoice(), await storeAskingCard()]
  const declined = await payStored(payer, invoice, { cardId: await payer.storeCard(CARDS.chargesFail) })
  expect([declined.statusCode, declined.json().userMessage]).toEqual([400, 'Your card was declined.'])
  fixture.context.advance(1_000)
  const asked = await payStored(payer, invoice, { cardId: asking })
  expect(asked.json()).toMatchObject({ status: 'requires_action', payment: { method: expect.stringContaining('••••') } })
  const { token } = await paymentLinkOf(fixture.context, invoice)
  expect(await answerBankPage(asked.json().redirectToUrl, 'complete')).toContain(`/pay/${token}?payment_intent=`)
  const details = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
  expect(details.json()).toMatchObject({ paymentStatus: 3 })
  expect((await readPayer(payer, invoice)).json()).toMatchObject({ payment: { id: asked.json().payment.id, hasReceipt: true } })
})

test('[EASE-03] a debit on its way says when its money is expected, everywhere, until that day has passed', async () => {
  const invoice = await payer.invoice()
  const answer = await payStored(payer, invoice, { cardId: await payer.storeDebit(), type: 'au_becs_debit' })
  const expectedOn = addBankingDays(fixture.context.clock(), 3).toISOString().slice(0, 10)
  expect(answer.json()).toMatchObject({ status: 'processing', payment: { isDebit: true, hasReceipt: false, expectedOn } })
  const readHistory = async () => (await payer.me.get(`/v1/ec/invoices/${invoice}/payments`)).json().payments[0]
  expect((await readPayer(payer, invoice)).json()).toMatchObject({ payment: { expectedOn } })
  expect(await readHistory()).toMatchObject({ outcome: 'processing', expectedOn })
  // The operator knows better how long it takes; the invoice stays in collection whatever day is told.
  expect((await setDebitDays(fixture.context, payer.resellerId, 0)).json()).toMatchObject({ debitDays: 0 })
  expect(await expectedDayOf(payer, invoice)).toBe(dayAfter(fixture.context, 0))
  expect((await setDebitDays(fixture.context, payer.resellerId, 6)).json()).toMatchObject({ debitDays: 6, webhookSecrets: 1 })
  expect(await expectedDayOf(payer, invoice)).toBe(dayAfter(fixture.context, 6))
  fixture.context.advance(3 * 86_400_000)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 7 })
  expect((await setDebitDays(fixture.context, payer.resellerId, null)).json()).toMatchObject({ debitDays: 3 })
  expect(await readHistory()).toMatchObject({ outcome: 'processing', expectedOn })
  fixture.context.advance(5 * 86_400_000)
  expect(await readHistory()).toMatchObject({ outcome: 'processing', expectedOn: null })
})
