/** The labels of a card, the same in every form. */
export const CARD_LABELS = {
  holder: 'Name on card',
  number: 'Card number',
  expiry: 'Expiry date',
  code: 'Security code',
  receipt: 'Email for the receipt',
} as const

/** The form in which an expiry date is typed. */
export const EXPIRY_FORM = 'MM / YY'

/** The name of an incomplete card in the list of what is missing. */
export const CARD_DETAILS = 'card details'
