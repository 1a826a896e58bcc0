import { type Static, Type } from 'typebox'
import { nullable } from '../http/nullable.ts'
import { PaymentSummary } from './payment-summary.ts'

const Line = Type.Optional(Type.String({ maxLength: 200 }))

/** The billing address that a payment form sends. */
export const BillingAddress = Type.Object(
  { country: Line, state: Line, city: Line, address: Line, zip: Line, company: Line },
  { additionalProperties: false },
)

const SHOWN_TOTAL = 'The total with the fee, as the page showed it; compared, never used. Without it, what the server has shown is compared'

/** What a payer was shown, beside the fields of the form. */
export const ShownTotal = Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Number()], { description: SHOWN_TOTAL }))

/** What a payer was shown, in a query. */
export const ShownTotalQuery = Type.Object(
  { shownTotal: Type.Optional(Type.String({ maxLength: 20, description: SHOWN_TOTAL })) },
  { additionalProperties: false },
)

/** The outcome of a submitted payment; a declined one is an error (400) with `userMessage`. */
export const PaymentResult = Type.Object({
  status: Type.Union([Type.Literal('succeeded'), Type.Literal('processing'), Type.Literal('requires_action')]),
  redirectToUrl: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Where the browser goes when status is requires_action',
  }),
  intentStatus: Type.Integer({ description: '2 processing, 3 paid' }),
  payment: nullable(PaymentSummary, 'What was paid, for its payer; null where it cannot be read just now'),
})
export type PaymentResult = Static<typeof PaymentResult>
