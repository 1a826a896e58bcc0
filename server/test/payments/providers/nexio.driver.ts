import { constants, createHmac, createPublicKey, publicEncrypt } from 'node:crypto'
import { expect } from 'vitest'
import { SealedText } from '../../../src/kit/sealed-text.ts'
import type { TypedMethod, NewMethod } from '../../../src/payments/providers/method.ts'
import { nexio } from '../../../src/payments/providers/nexio/nexio.ts'
import type { TestSandbox } from '../sandbox.ts'
import { type ApiProvider, WEBHOOK_KEY } from './provider-driver.ts'

/** Cards of the sandbox's Nexio. */
export const NEXIO_CARDS = { good: '4111111111111111', authenticating: '4000000000003220' }

const fetchNumberKey = async ({ url }: Pick<TestSandbox, 'url'>): Promise<string> => (await fetch(`${url}/nexio/public-key`)).text()

/** Encrypts digits as a browser does for the sandbox's Nexio. */
const encryptForNexio = async (sandbox: Pick<TestSandbox, 'url'>, digits: string): Promise<string> => {
  const key = createPublicKey({ key: Buffer.from(await fetchNumberKey(sandbox), 'base64'), format: 'der', type: 'spki' })
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64')
}

/** A card as the browser sends it. */
export const sealedCard = async (sandbox: Pick<TestSandbox, 'url'>, number: string, code = '123') =>
  ({
    kind: 'sealed',
    sealed: {
      encryptedNumber: await encryptForNexio(sandbox, number),
      firstSix: number.slice(0, 6),
      last4: number.slice(-4),
      brand: 'visa',
      expMonth: 12,
      expYear: 2031,
      securityCode: new SealedText(code),
    },
  }) as const satisfies TypedMethod

/** A bank account as the browser sends it. */
export const sealedAccount = async (sandbox: Pick<TestSandbox, 'url'>): Promise<NewMethod> => ({
  typedMethod: {
    kind: 'sealed',
    sealed: { encryptedNumber: await encryptForNexio(sandbox, '123456789'), last4: '6789', bankCode: '231375151' },
  },
  type: 'eCheck',
  holder: 'Ada Holder',
  email: 'ada@payer.example',
})

/** Who pays, as it was typed beside a card. */
export const NEXIO_PAYER = {
  holder: 'Ada Holder',
  payerFirstName: 'Augusta',
  payerLastName: 'Payersen',
  email: 'ada@payer.example',
  phone: '+1 555 0100',
  address: { line1: '1 Quay Street', line2: 'Floor 2', state: 'NM', postalCode: '87101', country: 'US' },
  shippingAddress: '2 Harbour Road',
  shippingPhone: '+1 555 0200',
}

const CUSTOMER = {
  payerFirstName: 'Augusta',
  payerLastName: 'Payersen',
  billingAddress: '1 Quay Street',
  billingAddress2: 'Floor 2',
  billingPhone: '555-0100',
  shippingAddress: '2 Harbour Road',
  shippingPhone: '555-0200',
  country: 'US',
  state: 'NM',
  zip: '87101',
  email: 'ada@payer.example',
}
// The clock of a test may advance by years.
const LISTED_CARD = {
  cardType: 'visa',
  lastFour: '1111',
  expirationMonth: 12,
  expirationYear: 2060,
  cardHolderName: 'Ada Holder',
  customer: CUSTOMER,
}

export const NEXIO: ApiProvider = {
  name: 'nexio',
  type: 8,
  currency: 'USD',
  settings: (id) => ({ username: `user-${id}`, password: 'correct horse', webhookSecrets: [WEBHOOK_KEY] }),
  webhook: (merchantReference, at, secret, isLaterEvent) => {
    const eventType = isLaterEvent ? 'TRANSACTION_RETURNED' : 'TRANSACTION_CAPTURED'
    const raw = JSON.stringify({ eventType, data: { data: { customer: { orderNumber: merchantReference } } } })
    const t = Math.floor(at.getTime() / 1_000)
    const v1 = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')
    return { raw, headers: { 'nexio-signature': `t=${t},v1=${v1}` } }
  },
  leavesToOperator: false,
  knowsRepetitions: false,
  settlesCards: 'each',
  cardFields: async ({ sandbox }, { number = NEXIO_CARDS.good, code = '739' } = {}) => ({
    cardNumber: await encryptForNexio(sandbox, number),
    expirationDate: '2060-12',
    cardCode: code,
    nexioCustomerDetails: { payerFirstName: 'Ada', payerLastName: 'Payer' },
  }),
  store: {
    card: async (payer, sandbox, { number = NEXIO_CARDS.good, code: cvv = '123' } = {}, change = {}) =>
      payer.me.post('/v1/ec/nexio/cards', {
        encryptedNumber: await encryptForNexio(sandbox, number),
        firstSix: number.slice(0, 6),
        lastFour: number.slice(-4),
        cvv,
        cardType: 'Visa',
        expirationMonth: '12',
        expirationYear: '2060',
        cardHolderName: 'Ada Holder',
        customer: CUSTOMER,
        ...change,
      }),
    bank: async (payer, sandbox, _typed, change = {}) =>
      payer.me.post('/v1/ec/nexio/ach', {
        encryptedBankAccountNumber: await encryptForNexio(sandbox, '987654321'),
        // As it is printed.
        routingNumber: ' 2313-7515 1',
        accountHolderName: 'Ada Holder',
        email: 'ada@payer.example',
        billingAddress: '1 Quay Street',
        // The last digits are Nexio's own, whatever the browser said.
        lastFour: '0000',
        ...change,
      }),
  },
  adapter: {
    provider: nexio,
    settings: { username: 'conformance@nexio.example', password: 'correct horse', webhookSecrets: [WEBHOOK_KEY] },
    secrets: [
      'correct horse',
      WEBHOOK_KEY,
      NEXIO_CARDS.good,
      '"securityCode":"123"',
      'Ada Holder',
      'Augusta',
      'Payersen',
      'ada@payer.example',
      '555 0100',
      'Quay Street',
      'Harbour Road',
      '87101',
    ],
    givesReferenceFirst: false,
    refundsInParts: false,
    enterCard: async ({ sandbox }, _purpose, { number = NEXIO_CARDS.good, code } = {}) => ({
      card: { typedMethod: await sealedCard(sandbox, number, code), ...NEXIO_PAYER },
    }),
    declining: {
      card_declined: { minor: 11_005n },
      insufficient_funds: { minor: 11_051n },
      expired_card: { minor: 11_054n },
      incorrect_cvc: { code: '999' },
    },
  },
  api: {
    paths: { cards: '/v1/ec/nexio/cards', accounts: '/v1/ec/nexio/ach', default: '/v1/ec/nexio/customer-default-source' },
    listed: {
      card: { nexioCard: LISTED_CARD },
      account: {
        type: 'eCheck',
        accountHolderName: 'Ada Holder',
        routingNumber: '231375151',
        lastFour: '4321',
        accountEmail: 'ada@payer.example',
        accountAddress: '1 Quay Street',
      },
    },
    secondCard: { typed: { number: '4242424242424242' }, listed: { nexioCard: { lastFour: '4242' } } },
    wrong: {
      card: [
        [{ encryptedNumber: '4111111111111111' }, 'body.cardNumber'],
        [{ cvv: '12' }, 'body.cardCode'],
        [{ expirationYear: '2020' }, 'body.expirationDate'],
        [{ cardHolderName: ' ' }, 'body.cardHolderName'],
        [{ customer: { ...CUSTOMER, payerLastName: '' } }, 'body.customer.payerLastName'],
        [{ customer: { ...CUSTOMER, shippingAddress: null } }, 'body.customer.shippingAddress'],
        [{ customer: { ...CUSTOMER, email: 'ada' } }, 'body.email'],
        [{ customer: { ...CUSTOMER, billingAddress: '4111111111111111' } }, 'body'],
      ],
    },
    refusedCards: [[{ code: '999' }, 'The security code of the card is not right. Please check it.']],
    ownFields: {
      fields: (standIn) => ({ token: expect.any(String), frameUrl: expect.stringContaining(`${standIn}/pay/v3/saveCard?token=`) }),
      enter: async ({ url }, { token }) => {
        const names = { expirationMonth: '12', expirationYear: '2031', securityCode: '123', cardHolderName: 'Ada Holder' }
        const saved = await fetch(`${url}/nexio/hosted/saveCard?token=${token}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ card: { number: NEXIO_CARDS.good, ...names } }),
        })
        return ((await saved.json()) as { token: { token: string } }).token.token
      },
      beside: { customer: CUSTOMER },
      listed: { nexioCard: { lastFour: '1111', cardHolderName: 'Ada Holder', customer: CUSTOMER } },
    },
    options: async (sandbox) => ({ publishableKey: await fetchNumberKey(sandbox) }),
    linkPage: () => ({
      integrationType: 'Nexio',
      publishableKey: expect.any(String),
      isFrame: false,
      requiredCardHolder: true,
      takesCardNumbers: true,
    }),
    attempt: {},
    account: {},
    wrongSettings: { username: '' },
    refusedSettings: [{ password: 'invalid' }, 'refuses the user name'],
    partBeforeSettlement: 'once the payment has settled',
    lostOperations: ['void', 'refund'],
  },
}
