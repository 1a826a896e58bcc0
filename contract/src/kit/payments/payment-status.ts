/** The states of a payment intent as the API numbers them; 1 and 2 are ours (decisions.md, Payments). */
export const INTENT_STATUS = { invalid: 0, open: 1, processing: 2, paid: 3, failed: 4 } as const

export type IntentStatus = (typeof INTENT_STATUS)[keyof typeof INTENT_STATUS]

/** The invoice numbers that mark a fee line among an intent's invoices, and how the screens call them (payments.md §3). */
export const FEE_LINES = { CREDIT_CARD_FEE: 'Credit Card Fee', DIRECT_DEBIT_FEE: 'Direct Debit Fee' } as const

export type FeeLine = keyof typeof FEE_LINES

/** What the screens say while nobody knows yet whether money moved (decisions.md, Payments). */
export const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'

/** The kinds of debit that a reseller can choose, by its direct-debit method id. */
export const DEBIT_TYPES = { 1: 'au_becs_debit', 2: 'us_bank_account', 3: 'bacs_debit', 4: 'sepa_debit' } as const

export type DebitType = (typeof DEBIT_TYPES)[keyof typeof DEBIT_TYPES]
