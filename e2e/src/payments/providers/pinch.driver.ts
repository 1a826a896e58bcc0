import { expect } from '../../support/expect.ts'
import { cardFields, EMAIL, HOLDER, inGroups } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { openDialog } from './stored-methods.ts'

/** Cards of the sandbox's Pinch, and one that it refuses. */
export const CARDS = { visa: '4242424242424242', mastercard: '5555555555554444', refused: '4539578763621486' } as const
const TOKEN = expect.stringMatching(/^tkn_/)

const CARD = { 'Name on card': HOLDER, ...cardFields(CARDS.visa), Email: EMAIL }
const OWNER = { accountHolderName: HOLDER, email: EMAIL } as const

export const pinch: ProviderDriver = {
  name: 'pinch',
  type: 6,
  reseller: 3007,
  currency: 'AUD',
  total: 'A$110.00',
  declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  link: {
    typed: CARD,
    refused: { typed: { 'Card number': CARDS.refused }, says: 'Not a valid test card number' },
    kept: { 'Name on card': HOLDER, Email: EMAIL },
    another: { 'Card number': CARDS.mastercard },
    sent: { cardToken: TOKEN },
  },
  card: {
    typed: CARD,
    refused: { typed: { 'Card number': CARDS.refused }, says: 'Not a valid test card number' },
    kept: { 'Card number': inGroups(CARDS.refused), Email: EMAIL },
    title: 'Visa •••• 4242',
    facts: [HOLDER, '12/2031'],
    sent: { token: TOKEN, cardholder: HOLDER, email: EMAIL },
    another: { typed: { ...CARD, 'Card number': CARDS.mastercard }, title: 'Mastercard •••• 4444' },
  },
  account: {
    typed: {
      'Account holder name': HOLDER,
      Email: EMAIL,
      BSB: '000001',
      'Account number': '1234567890',
      // The box of the mandate, which the space bar checks.
      'By providing your bank account details': ' ',
    },
    kept: {},
    list: 'Direct Debit',
    title: 'BSB 000001 •••• 7890',
    facts: [HOLDER],
    sent: { paymentMethodId: TOKEN, paymentMethodType: 'au_becs_debit', ...OWNER },
    type: 'au_becs_debit',
  },
  keepsDefault: true,
  openForm: openDialog,
}
