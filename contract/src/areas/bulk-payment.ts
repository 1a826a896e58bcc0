import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Id } from '../kit/http/ids.ts'
import { nullable } from '../kit/http/nullable.ts'
import { BillingAddress, PaymentResult, ShownTotal } from '../kit/payments/pay-form.ts'
import { Adjustment } from '../kit/payments/adjustment.ts'
import { PaymentFee, PaymentSummary } from '../kit/payments/payment-summary.ts'

/** The maximum number of invoices of an intent. */
export const MAX_INVOICES_PER_PAYMENT = 1_000

/** All but number and amount are those of invoices, not of fee lines. */
const IntentLine = Type.Object({
  invoiceNumber: Type.String(),
  invoiceAmount: Type.Number(),
  dateDue: Type.Optional(Day),
  isOverdue: Type.Optional(Type.Boolean()),
  payToken: Type.Optional(nullable(Type.String(), 'Opens /pay/{payToken}, which pays the invoice alone')),
})

export const PaymentIntent = Type.Object({
  id: Type.String(),
  sessionId: Type.String(),
  status: Type.Integer({ description: '0 invalid: nothing of it can be paid any more, 1 open, 2 being confirmed, 3 paid, 4 failed' }),
  error: nullable(Type.String(), 'Why the last try failed, when status is 4'),
  lastPaymentId: nullable(Type.String(), 'Names the last try; null before there is one'),
  companyName: Type.String(),
  total: Type.Number({ description: 'Invoices, adjustments, and the first fee line where there is one; once paid, what was paid' }),
  adjustmentsTotal: Type.Number(),
  adjustments: Type.Array(Adjustment, { description: 'What adjustmentsTotal is made of' }),
  invoices: Type.Array(IntentLine, {
    description:
      'Fee lines carry the numbers CREDIT_CARD_FEE and DIRECT_DEBIT_FEE; the one of the method that pays is charged. Once paid, only that one is there',
  }),
  currency: Type.String({ description: 'ISO 4217' }),
  currencySymbol: Type.Object({ symbol: Type.String() }),
  email: nullable(Type.String(), "Where the receipt goes; before it is paid, where this user's last one went"),
  receiptId: nullable(Type.String(), 'Its receipt can be fetched by it, once it is paid'),
  fees: Type.Array(PaymentFee, { description: 'What each way to pay adds, by which rule, and what it comes to' }),
  payment: nullable(PaymentSummary, 'The payment that has paid it, or is being confirmed'),
})
export type PaymentIntent = Static<typeof PaymentIntent>

/** The schema of a text that may be missing. */
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
/** The schema of a text that may be missing or null. */
const Token = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })))

export const bulkPayment = {
  createIntent: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/intents',
    access: 'customer',
    summary: 'Begins to pay several invoices of one currency, with the adjustments that are due in it',
    body: Type.Object(
      { invoiceIds: Type.Array(Id, { minItems: 1, maxItems: MAX_INVOICES_PER_PAYMENT, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    response: PaymentIntent,
  }),
  intent: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/intents/{id}',
    access: 'customer',
    summary: 'A payment intent as it stands',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
    response: PaymentIntent,
  }),
  pay: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/pay/bulk',
    access: 'customer',
    summary: 'Pays an intent; a declined payment is a 400 with userMessage. Header Idempotency-Key: the same key is paid once',
    body: Type.Object(
      {
        uid: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "The intent's id" })),
        sessionId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: "The intent's sessionId; one of the two is needed" }),
        ),
        cardId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The stored method that pays' })),
        type: Text(30),
        paymentType: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
        shownTotal: ShownTotal,
        cardToken: Text(1_024),
        cardHolder: Text(200),
        email: Text(254),
        billingAddress: Type.Optional(BillingAddress),
        // From forms of providers without a script of their own; rejected for other providers.
        cardNumber: Text(1_024),
        expirationDate: Text(10),
        cardCode: Text(4),
        cvc: Text(4),
      },
      { additionalProperties: false },
    ),
    response: PaymentResult,
  }),
  result: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/confirmation/result',
    access: 'customer',
    summary: 'What became of a payment whose payer was sent to confirm it and has come back',
    body: Type.Object(
      { paymentIntent: Token(255), paymentIntentClientSecret: Token(500), sourceType: Token(50), reqUid: Token(64) },
      { additionalProperties: false },
    ),
    response: Type.Object({
      status: Type.Integer({ description: '2 being confirmed, 3 paid, 4 failed' }),
      error: nullable(Type.String()),
      id: nullable(Type.String(), 'The intent; null when there is no such payment'),
      receiptId: nullable(Type.String(), 'Its receipt can be fetched by it, once it is paid'),
      payment: nullable(PaymentSummary, 'What was paid, unless it failed'),
    }),
  }),
}
