/** The labels of a card, the same in every form. */
export const CARD_LABELS = {
  holder: 'Name on card',
  number: 'Card number',
  expiry: 'Expiry date',
  code: 'Security code',
  receipt: 'Email for the receipt',
} as const

/** What is typed into the expiry date. */
export const EXPIRY_FORM = 'MM / YY'

/** How forms name a card that is not complete. */
export const CARD_DETAILS = 'card details'
