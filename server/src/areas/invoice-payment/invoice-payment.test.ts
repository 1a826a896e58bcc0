import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { afterAll, expect, test } from 'vitest'
import { deliverMail, startTestMailbox } from '../../../test/support/mailbox.ts'
import { sendRequest } from '../../../test/support/http-client.ts'
import { insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { addPayingCustomer, answerBankPage, CARDS, paymentLinkOf, payByLink } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'

const mailbox = await startTestMailbox()
afterAll(() => mailbox.close())
const { fixture, payer } = await usePayments({ payment_email_receipt: true, publishable_key: 'pk_test_page' }, { MAIL_URL: mailbox.url })

const detailsOf = async (invoice: number): Promise<InvoicePayment> => {
  const { token } = await paymentLinkOf(fixture.context, invoice)
  const answer = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

test('[SP-01] the page knows the invoice and how it is paid, without anybody signed in, without any person’s name', async () => {
  const invoice = await payer.invoice({ due_on: '2098-07-31' })
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  expect(await detailsOf(invoice)).toEqual({
    invoiceAmount: 110,
    InvoiceNumber: number,
    invoiceDate: '2026-11-01',
    invoiceDueDate: '2098-07-31',
    periodStart: null,
    periodEnd: null,
    invoiceStatus: 1,
    isCredited: false,
    fee: 0,
    fees: [
      { kind: 'card', amount: 0, percent: 0, fixed: 0, total: 110 },
      { kind: 'bank', amount: 0, percent: 0, fixed: 0, total: 110 },
    ],
    uid: token,
    customer: payer.customerId,
    brandId: payer.brandId,
    brandName: expect.any(String),
    currency: 'AUD',
    currencySymbol: { symbol: '$' },
    paymentType: 1,
    integrationType: 'Stripe',
    publishableKey: 'pk_test_page',
    scriptUrl: expect.stringContaining(fixture.sandbox.url),
    takesCardNumbers: false,
    splitCardFields: false,
    enabledReceipt: true,
    requiredCardHolder: true,
    requiredBillingAddress: false,
    requiredEmail: false,
    paymentTypeDisclaimer: null,
    isFrame: false,
    apiStatus: true,
    paymentStatus: 1,
    paymentError: null,
    lastPaymentId: null,
    payment: null,
    hasLinkReceipt: false,
  })
})

test('[SP-01] [EASE-02] the page says for which period the invoice is, and what the reseller says of paying', async () => {
  const one = await addPayingCustomer(fixture, { payment_type_disclaimer: 'Cards are kept by our provider.' })
  const span = { starts_on: '2026-10-01', ends_on: '2026-10-31' }
  const period_id = await insertRow(fixture.context, one.resellerId, 'billing_period', { customer_id: one.customerId, ...span })
  const { token } = await paymentLinkOf(fixture.context, await one.invoice({ period_id }))
  expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({
    periodStart: '2026-10-01',
    periodEnd: '2026-10-31',
    paymentTypeDisclaimer: 'Cards are kept by our provider.',
  })
})

test.each(['x', 'a'.repeat(43), '../../etc', '1', "' or 1=1 --"])(
  '[SP-01] a link that stands for nothing is not found: %s',
  async (token) => {
    expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${encodeURIComponent(token)}` })).statusCode).toBe(404)
    const body = { uid: token, invoiceNumber: 'INV-1', invoiceAmount: '1.00', cardToken: 'pm_card_visa', cardHolder: 'A' }
    expect((await sendRequest(fixture.app, { method: 'POST', url: '/v1/ec/pay', payload: body })).statusCode).toBe(404)
  },
)

test('[SP-03] [SP-04] one invoice is paid by its link, and its receipt arrives', async () => {
  mailbox.empty()
  const invoice = await payer.invoice()
  const answer = await payByLink(fixture, invoice, await payer.cardToken(), { email: 'payer@example.com' })
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded', redirectToUrl: null, intentStatus: 3 })
  expect(await detailsOf(invoice)).toMatchObject({ invoiceStatus: 11, invoiceAmount: 0, paymentStatus: 3 })
  await deliverMail(fixture.context)
  const [mail] = mailbox.list()
  expect(mail).toMatchObject({ to: 'payer@example.com', subject: expect.stringContaining('Receipt') })
  expect(mail?.text).toContain('$110.00 (AUD)')
  expect(mail?.text).toContain((await paymentLinkOf(fixture.context, invoice)).number)
  await deliverMail(fixture.context)
  expect(mailbox.list()).toHaveLength(1)
})

test.each([
  [CARDS.declined, 'Your card was declined.'],
  [CARDS.poor, 'Your card has insufficient funds.'],
  [CARDS.expired, 'Your card has expired.'],
  [CARDS.wrongCode, "Your card's security code is incorrect."],
  [CARDS.chargesFail, 'Your card was declined.'],
])('[SP-02] card %s is declined with "%s", and the page still says so', async (number, words) => {
  const invoice = await payer.invoice()
  const answer = await payByLink(fixture, invoice, await payer.cardToken(number))
  expect([answer.statusCode, answer.json().userMessage]).toEqual([400, words])
  expect(await detailsOf(invoice)).toMatchObject({ invoiceStatus: 1, paymentStatus: 4, paymentError: words })
})

test('[PAY-01] [SP-02] lastPaymentId names the last payment: another decline has another id', async () => {
  const invoice = await payer.invoice()
  await payByLink(fixture, invoice, await payer.cardToken(CARDS.declined))
  const first = await detailsOf(invoice)
  fixture.context.advance(1_000)
  await payByLink(fixture, invoice, await payer.cardToken(CARDS.declined))
  const second = await detailsOf(invoice)
  expect([first, second]).toMatchObject([{ paymentStatus: 4 }, { paymentStatus: 4 }])
  expect(new Set([null, first.lastPaymentId, second.lastPaymentId]).size).toBe(3)
  fixture.context.advance(1_000)
  const paid = await payByLink(fixture, invoice, await payer.cardToken())
  expect(paid.statusCode, paid.body).toBe(200)
  const { lastPaymentId, payment } = await detailsOf(invoice)
  expect(payment?.id).toBe(lastPaymentId)
})

test('[SP-02] after the return from the bank the page shows the outcome', async () => {
  const invoice = await payer.invoice()
  const answer = await payByLink(fixture, invoice, await payer.cardToken(CARDS.asks))
  expect(answer.json()).toMatchObject({ status: 'requires_action' })
  const { token } = await paymentLinkOf(fixture.context, invoice)
  expect(await answerBankPage(answer.json().redirectToUrl, 'complete')).toContain(`/pay/${token}?payment_intent=`)
  expect(await detailsOf(invoice)).toMatchObject({ invoiceStatus: 11, paymentStatus: 3 })
})

test('[SP-02] a fee is shown, charged on top, and recorded separately from the invoice', async () => {
  const other = await addPayingCustomer(fixture)
  const rule = { reseller_id: other.resellerId, line: 'CREDIT_CARD_FEE', currency: 'AUD', percent: '2.9', fixed_minor: 30 } as const
  await insertRow(fixture.context, other.resellerId, 'payment_fee_rule', rule)
  const invoice = await other.invoice()
  expect(await detailsOf(invoice)).toMatchObject({
    invoiceAmount: 110,
    fee: 3.49,
    fees: [
      { kind: 'card', amount: 3.49, percent: 2.9, fixed: 0.3, total: 113.49 },
      { kind: 'bank', amount: 0, total: 110 },
    ],
  })
  await payByLink(fixture, invoice, await other.cardToken())
  const entries = await queryAsAdministrator<{ target: string; amount: number }>(
    fixture.context,
    'select target, amount_minor::int as amount from payment_allocation where customer_id = $1 order by entry_no',
    [other.customerId],
  )
  expect(entries).toEqual([
    { target: 'invoice', amount: 11_000 },
    { target: 'fee', amount: 349 },
  ])
  expect((await fixture.sandbox.ledger()).at(-1)).toMatchObject({ amount: 11_349, currency: 'AUD', status: 'succeeded' })
})

test('[BP-01] fee lines and adjustments stand in an intent, and the fee of the method that pays is charged', async () => {
  const other = await addPayingCustomer(fixture)
  for (const [line, percent] of [
    ['CREDIT_CARD_FEE', '2'],
    ['DIRECT_DEBIT_FEE', '1'],
  ] as const)
    await insertRow(fixture.context, other.resellerId, 'payment_fee_rule', {
      reseller_id: other.resellerId,
      line,
      currency: 'AUD',
      percent,
    })
  const owed = {
    customer_id: other.customerId,
    currency: 'AUD',
    amount_minor: 1_000,
    description: 'Late fee',
    external_id: null,
    settled_at: null,
  }
  await insertRow(fixture.context, other.resellerId, 'payment_adjustment', owed)
  const invoice = await other.invoice()
  const { number } = await paymentLinkOf(fixture.context, invoice)
  const intent = await other.intent(invoice)
  expect(intent).toMatchObject({
    adjustmentsTotal: 10,
    total: 122.4,
    invoices: [
      { invoiceNumber: number, invoiceAmount: 110 },
      { invoiceNumber: 'CREDIT_CARD_FEE', invoiceAmount: 2.4 },
      { invoiceNumber: 'DIRECT_DEBIT_FEE', invoiceAmount: 1.2 },
    ],
  })
  await other.pay(intent, { cardId: await other.storeCard() })
  expect(await other.readIntent(intent.id)).toMatchObject({
    status: 3,
    total: 122.4,
    invoices: [{ invoiceNumber: number }, { invoiceNumber: 'CREDIT_CARD_FEE', invoiceAmount: 2.4 }],
  })
  expect(await other.intent(await other.invoice())).toMatchObject({ adjustmentsTotal: 0 })
})

test('[SP-02] missing required fields are reported field by field', async () => {
  const strict = await addPayingCustomer(fixture, { payment_billing_address_required: true })
  const invoice = await strict.invoice()
  const token = await strict.cardToken()
  const noHolder = await payByLink(fixture, invoice, token, { cardHolder: ' ' })
  expect(noHolder.json()).toMatchObject({ errors: [{ path: 'body.cardHolder', message: 'Enter the name on the card.' }] })
  const noCity = await payByLink(fixture, invoice, token, {
    billingAddress: { address: '1 Street', state: 'NSW', zip: '2000', country: 'AU' },
  })
  expect(noCity.json()).toMatchObject({ errors: [{ path: 'body.billingAddress.city' }] })
  const noEmail = await payByLink(fixture, await payer.invoice(), token, { email: 'nobody' })
  expect(noEmail.json()).toMatchObject({ errors: [{ path: 'body.email' }] })
  const address = { address: '1 Street', city: 'Sydney', state: 'NSW', zip: '2000', country: 'AU' }
  expect((await payByLink(fixture, invoice, token, { billingAddress: address })).json()).toMatchObject({ status: 'succeeded' })
})

test('[SP-05] the same Idempotency-Key is paid once and gets the same response', async () => {
  const invoice = await payer.invoice()
  const key = { 'idempotency-key': '"0f3c9a1e-one-submission"' }
  const first = await payByLink(fixture, invoice, await payer.cardToken(), {}, key)
  const again = await payByLink(fixture, invoice, await payer.cardToken(), {}, key)
  expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
  // For another invoice it is another payment.
  const other = await payer.invoice()
  expect((await payByLink(fixture, other, await payer.cardToken(), {}, key)).json()).toMatchObject({ status: 'succeeded' })
  expect(await payer.readInvoice(other)).toMatchObject({ invoiceStatus: 11 })
})

test('[SP-05] credited and collected invoices and credit notes are refused with the messages of the page', async () => {
  const refused: [object, string][] = [
    [{ status: 9 }, 'The invoice has been credited. No further payments required.'],
    [{ status: 9, amount_minor: -500 }, 'This is a credit note. There is nothing to pay.'],
    [{ status: 7 }, 'We are confirming your payment. Please do not pay again.'],
  ]
  for (const [state, words] of refused) {
    const answer = await payByLink(fixture, await payer.invoice(state), 'pm_card_visa')
    expect([answer.statusCode, answer.json().userMessage]).toEqual([409, words])
  }
})
