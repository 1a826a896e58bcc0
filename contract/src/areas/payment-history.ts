import { type Static, Type } from 'typebox'
import { Day, Instant } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { Id } from '../kit/http/ids.ts'
import { nullable } from '../kit/http/nullable.ts'
import { UnknownOutcome } from '../kit/payments/payment-summary.ts'

/** The default page size of an invoice's payments. */
export const HISTORY_PAGE_SIZE = 10

/** The outcomes of a payment as its payer sees them. */
export const OUTCOMES = [
  'paid',
  'processing',
  'checking',
  'confirming',
  'declined',
  'failed',
  'refunded',
  'part-refunded',
  'returned',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** One attempt to pay an invoice. */
export const InvoicePaymentEntry = Type.Object({
  id: Type.String(),
  reference: Type.String({ description: 'Short, for people; it stands on the receipt too' }),
  date: Instant,
  amount: Type.Number({ description: 'What of the payment is for this invoice' }),
  fee: Type.Number({ description: 'Of the whole payment; 0 without one' }),
  total: Type.Number({ description: 'The whole payment, with its fee' }),
  cameBack: Type.Number({ description: 'What of the whole payment was refunded or taken back since' }),
  overpaid: Type.Number({ description: 'What of the amount was more than was due when it arrived: credit on the account' }),
  invoiceCount: Type.Integer({ description: 'How many invoices the payment is for' }),
  method: Type.String({ description: 'Visa •••• 4242' }),
  outcome: Type.Unsafe<Outcome>({
    enum: OUTCOMES,
    description:
      'processing: a debit on its way; checking: not known yet; confirming: its payer is asked at the bank; failed: nothing was sent, or it was given up; returned: taken back by the bank, or given back in full before it was known',
  }),
  isUnderReview: Type.Boolean({ description: 'The look-ups are used up: people find out whether the money moved' }),
  unknownOutcome: nullable(UnknownOutcome, 'Of a payment that the provider has not said anything of; null for every other payment'),
  reason: nullable(Type.String(), 'Why it was not paid, in words for whoever tried'),
  hasReceipt: Type.Boolean({ description: 'Its receipt can be fetched' }),
  expectedOn: nullable(Day, 'When the money of a debit on its way is expected; null where nobody can say'),
  currencySymbol: Type.String(),
})
export type InvoicePaymentEntry = Static<typeof InvoicePaymentEntry>

export const paymentHistory = {
  list: endpoint({
    method: 'GET',
    path: '/v1/ec/invoices/{id}/payments',
    access: 'customer',
    sections: ['invoices'],
    summary: 'Every try to pay an invoice, newest first',
    params: Type.Object({ id: Id }),
    query: Type.Object(
      {
        pageNumber: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
        pageSize: Type.Integer({ minimum: 1, maximum: 100, default: HISTORY_PAGE_SIZE }),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ payments: Type.Array(InvoicePaymentEntry), totalCount: Type.Integer() }),
  }),
  receipt: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/receipts/{id}',
    access: 'customer',
    summary: "A payment's receipt as a PDF file; none for a payment that did not arrive, or that the bank took back",
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, description: "The payment's id" }) }),
    response: { file: 'application/pdf' },
  }),
}
