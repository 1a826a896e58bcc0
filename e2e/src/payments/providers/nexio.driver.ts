import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import type { Api } from '../../support/api.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { cardFields, HOLDER, inGroups } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { openDialog } from './stored-methods.ts'

/** Cards of the sandbox's Nexio. */
export const CARDS = { visa: '4111111111111111', another: '4242424242424242', authenticating: '4000000000003220' } as const
const WRONG_CODE = 'The security code of the card is not right. Please check it.'
const ENCRYPTED = expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/)

/** Who pays, where the form asks for it. */
export const PAYER: Readonly<Record<string, string>> = { 'Payer first name': 'Augusta', 'Payer last name': 'Payersen' }
const PAYER_NAMES = { payerFirstName: 'Augusta', payerLastName: 'Payersen' } as const
const CUSTOMER = {
  ...PAYER_NAMES,
  billingAddress: '',
  billingAddress2: '',
  billingPhone: '',
  shippingAddress: '2 Harbour Road',
  shippingPhone: '',
  country: '',
  state: '',
  zip: '',
  email: '',
} as const

/** Encrypts a number as the portal does. */
const encrypt = async (digits: string): Promise<string> => {
  const spki = await (await fetch(`${testEnvironment().sandboxUrl}/nexio/public-key`)).text()
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64')
}

const cardBody = (number: string) => ({
  firstSix: number.slice(0, 6),
  lastFour: number.slice(-4),
  cvv: '739',
  cardType: 'visa',
  expirationMonth: '12',
  expirationYear: '2031',
  cardHolderName: HOLDER,
  customer: CUSTOMER,
})

const ACCOUNT = { routingNumber: '231375151', accountHolderName: HOLDER, email: '', billingAddress: '', lastFour: '4321' } as const

const storedCard = (number: string) => ({
  'Name on card': HOLDER,
  ...cardFields(number),
  ...PAYER,
  'Shipping address': CUSTOMER.shippingAddress,
})

/** Stores a card without the screen. */
export const storeCard = async (api: Api, number: string): Promise<unknown> =>
  api('POST', '/v1/ec/nexio/cards', { ...cardBody(number), encryptedNumber: await encrypt(number) })

export const nexio: ProviderDriver = {
  name: 'nexio',
  type: 8,
  reseller: 3008,
  currency: 'USD',
  total: 'US$110.00',
  declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  link: {
    typed: { 'Name on card': HOLDER, ...cardFields(CARDS.visa), ...PAYER },
    refused: { typed: { 'Security code': '999' }, says: WRONG_CODE },
    kept: { 'Card number': inGroups(CARDS.visa), 'Payer last name': 'Payersen' },
    another: { 'Card number': CARDS.another },
    sent: { cardNumber: ENCRYPTED, expirationDate: '2031-12', cardCode: '739', nexioCustomerDetails: expect.objectContaining(PAYER_NAMES) },
  },
  card: {
    typed: storedCard(CARDS.visa),
    refused: { typed: { 'Security code': '999' }, says: WRONG_CODE },
    kept: { 'Card number': inGroups(CARDS.visa), 'Name on card': HOLDER, 'Shipping address': CUSTOMER.shippingAddress },
    title: 'Visa •••• 1111',
    facts: [HOLDER, '12/2031', 'Augusta', CUSTOMER.shippingAddress, 'No Address 2 provided', 'No email provided'],
    sent: { ...cardBody(CARDS.visa), encryptedNumber: ENCRYPTED },
    another: { typed: storedCard(CARDS.another), title: 'Visa •••• 4242' },
  },
  account: {
    typed: { 'Account holder name': HOLDER, 'Routing number': '2313-7515 1', 'Account number': '9876-5432 1' },
    kept: {},
    list: 'ACH',
    title: 'Bank account •••• 4321',
    facts: [HOLDER],
    sent: { ...ACCOUNT, encryptedBankAccountNumber: ENCRYPTED },
    type: 'eCheck',
  },
  editsCards: true,
  reloadsOnDefault: true,
  openForm: openDialog,
}
