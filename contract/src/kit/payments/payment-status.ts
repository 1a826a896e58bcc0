/** The API's numbers of the states of a payment intent. */
export const INTENT_STATUS = { invalid: 0, open: 1, processing: 2, paid: 3, failed: 4 } as const

export type IntentStatus = (typeof INTENT_STATUS)[keyof typeof INTENT_STATUS]

/** The invoice numbers that mark a fee line among an intent's invoices, with their labels on the screens. */
export const FEE_LINES = { CREDIT_CARD_FEE: 'Credit Card Fee', DIRECT_DEBIT_FEE: 'Direct Debit Fee' } as const

export type FeeLine = keyof typeof FEE_LINES

/** The text of the screens while it is unknown whether money moved. */
export const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

/** The text of the screens while nobody has answered what became of a payment. */
export const UNANSWERED_TEXT =
  'We could not reach the server. Your payment may have gone through. We are checking. Please do not pay again.'

/** The text of the screens once the look-ups of a payment are used up, and people must find out what became of it. */
export const reviewText = (reference: string): string =>
  `We are finding out with the payment company whether this payment arrived. Please do not pay again. If you have a question, contact support and name the reference ${reference}.`

/** The kinds of debit that a reseller can choose, by its direct-debit method id. */
export const DEBIT_TYPES = { 1: 'au_becs_debit', 2: 'us_bank_account', 3: 'bacs_debit', 4: 'sepa_debit' } as const

export type DebitType = (typeof DEBIT_TYPES)[keyof typeof DEBIT_TYPES]
