import { type Static, Type } from 'typebox'
import { Day, Instant } from '../day.ts'
import { nullable } from '../http/nullable.ts'
import { Adjustment } from './adjustment.ts'

/** What paying by card or from a bank account adds, as the server computes it. */
export const PaymentFee = Type.Object({
  kind: Type.Union([Type.Literal('card'), Type.Literal('bank')]),
  amount: Type.Number({ description: 'The fee; 0 without one' }),
  percent: Type.Number({ description: 'The rule: so many percent of what is paid' }),
  fixed: Type.Number({ description: 'The rule: and so much more' }),
  total: Type.Number({ description: 'What is paid in all this way' }),
})
export type PaymentFee = Static<typeof PaymentFee>

/** The end of a payment of which the provider has not said what became of it. */
export const UnknownOutcome = Type.Object({
  endsBy: nullable(
    Instant,
    'When at the latest it ends by itself if nothing was charged and the provider answers; null where a person must find that out',
  ),
})

/** A payment as its payer is told of it afterwards. */
export const PaymentSummary = Type.Object({
  id: Type.String({ description: 'Its receipt can be fetched by it, where it has one' }),
  reference: Type.String({ description: 'Short, for people; it stands on the receipt and in the payment history' }),
  date: Instant,
  method: Type.String({ description: 'Visa •••• 4242' }),
  invoices: Type.Array(Type.Object({ invoiceNumber: Type.String(), invoiceAmount: Type.Number() })),
  adjustmentsTotal: Type.Number(),
  adjustments: Type.Array(Adjustment),
  fee: nullable(Type.Object({ name: Type.String(), amount: Type.Number() }), 'Null without a fee'),
  total: Type.Number({ description: 'With the fee' }),
  currency: Type.String({ description: 'ISO 4217' }),
  currencySymbol: Type.String(),
  email: nullable(Type.String(), 'Where the receipt goes'),
  hasReceipt: Type.Boolean({ description: 'The money arrived, and its receipt can be fetched' }),
  isDebit: Type.Boolean(),
  isUnderReview: Type.Boolean({ description: 'The look-ups are used up: people find out whether the money moved' }),
  unknownOutcome: nullable(
    UnknownOutcome,
    'The provider has not said what became of it, so nothing else can pay meanwhile; null for every other payment',
  ),
  expectedOn: nullable(Day, 'When the money of a debit on its way is expected; null where nobody can say'),
})
export type PaymentSummary = Static<typeof PaymentSummary>

/** What is told of a payment that is in another one's way. */
export const PendingPayment = Type.Pick(PaymentSummary, ['reference', 'isUnderReview', 'unknownOutcome'])
export type PendingPayment = Static<typeof PendingPayment>
