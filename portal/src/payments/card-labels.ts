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
