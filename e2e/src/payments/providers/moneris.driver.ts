import { cardFields, EMAIL, HOLDER, inGroups } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { openDialog } from './stored-methods.ts'

/** Moneris' test cards, and one with a wrong check digit. */
export const CARDS = { visa: '4242424242424242', mastercard: '5454545454545454', wrong: '4242424242424241' } as const
export const DECLINED = 'Your card was declined.'
export const WRONG_CODE = 'The security code of your card is incorrect.'

export const moneris: ProviderDriver = {
  name: 'moneris',
  type: 5,
  reseller: 3006,
  currency: 'CAD',
  total: 'CA$110.00',
  declined: DECLINED,
  link: {
    typed: { 'Name on card': HOLDER, ...cardFields(CARDS.visa) },
    refused: { typed: { 'Card number': CARDS.wrong }, says: 'This is not the number of a card. Please check it.' },
    kept: { 'Name on card': HOLDER, 'Security code': '739' },
    another: { 'Card number': CARDS.mastercard },
    sent: { cardNumber: CARDS.mastercard, expirationDate: '2031-12', cardCode: '739' },
  },
  card: {
    typed: cardFields(CARDS.visa),
    optional: { Phone: '604-555-0100', Email: EMAIL },
    refused: { typed: { 'Security code': '999' }, says: WRONG_CODE },
    kept: { 'Card number': inGroups(CARDS.visa), 'Security code': '999' },
    title: 'Visa •••• 4242',
    facts: ['12/2031', '604-555-0100', EMAIL],
    sent: { cardNumber: CARDS.visa, cvdValue: '739', expMonth: '12', expYear: '2031', phone: '604-555-0100', email: EMAIL },
    another: { typed: cardFields('373599005095005', '7391'), title: 'American Express •••• 5005' },
  },
  takesCardNumbers: true,
  openForm: openDialog,
}
