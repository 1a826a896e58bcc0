import type { Api } from '../../support/api.ts'
import { cardFields, HOLDER, inGroups } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { openDialog } from './stored-methods.ts'

/** Authorize.net's test cards, one with a wrong check digit, and a valid routing number. */
export const CARDS = { visa: '4111111111111111', mastercard: '5424000000000015', wrong: '4111111111111112' } as const
const ROUTING_NUMBER = '121042882'
/** The test ZIP code with which every card is declined. */
export const DECLINING_ZIP = '46282'
export const DECLINED = 'This transaction has been declined.'
const ACCOUNT = { accountNumber: '123456789', nameOnAccount: HOLDER, bankName: 'First Bank', accountType: 'checking' } as const

const STORED_CARD = { 'Card number': CARDS.visa, 'Expiry date': '1231' }
const VISA_TYPED = inGroups(CARDS.visa)

/** Stores a bank account without the screen. */
export const storeAccount = (api: Api): Promise<unknown> =>
  api('POST', '/v1/ec/autorize/ach', { routingNumber: ROUTING_NUMBER, ...ACCOUNT })

export const authorize: ProviderDriver = {
  name: 'authorize',
  type: 2,
  reseller: 3004,
  currency: 'USD',
  total: '$110.00',
  declined: DECLINED,
  link: {
    typed: { 'Name on card': HOLDER, ...cardFields(CARDS.visa) },
    refused: { typed: { 'Card number': CARDS.wrong }, says: 'This is not the number of a card. Please check it.' },
    kept: { 'Security code': '739' },
    another: { 'Card number': CARDS.mastercard },
    sent: { cardNumber: CARDS.mastercard, expirationDate: '2031-12', cardCode: '739' },
  },
  card: {
    typed: STORED_CARD,
    optional: { 'Postcode or ZIP': '46201', City: 'Fort Wayne', Company: 'Nimbus Ltd' },
    refused: { typed: { 'Postcode or ZIP': DECLINING_ZIP }, says: DECLINED },
    kept: { 'Card number': VISA_TYPED },
    title: 'Visa •••• 1111',
    facts: ['Nimbus Ltd', 'Fort Wayne', 'No Address 2 provided'],
    sent: {
      cardNumber: CARDS.visa,
      expirationDate: '2031-12',
      company: 'Nimbus Ltd',
      address: '',
      city: 'Fort Wayne',
      state: '',
      zip: '46201',
      country: '',
      addressCountry: '',
    },
    another: { typed: { 'Card number': '370000000000002', 'Expiry date': '1231' }, title: 'American Express •••• 0002' },
  },
  account: {
    typed: {
      'Routing number': ROUTING_NUMBER,
      'Account number': ACCOUNT.accountNumber,
      'Account name': HOLDER,
      'Bank name': ACCOUNT.bankName,
      'Account type': 'Checking',
    },
    refused: { typed: { 'Routing number': '121042881' }, says: 'This is not a routing number. Please check it.' },
    kept: { 'Bank name': ACCOUNT.bankName },
    list: 'ACH',
    title: 'First Bank •••• 6789',
    facts: [HOLDER, 'Checking', 'XXXX6789'],
    sent: { routingNumber: ROUTING_NUMBER, ...ACCOUNT },
    type: 'eCheck',
  },
  takesCardNumbers: true,
  openForm: openDialog,
}
