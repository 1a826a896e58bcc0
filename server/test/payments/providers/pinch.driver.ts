import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { pinch } from '../../../src/payments/providers/pinch/pinch.ts'
import type { TestSandbox } from '../sandbox.ts'
import { type ApiProvider, WEBHOOK_KEY } from './provider-driver.ts'

/** The publishable key of an account at the sandbox's Pinch. */
export const pinchKey = (applicationId: string): string => `pk_test_${applicationId}`

/** The settings of an account at the sandbox's Pinch. */
export const pinchSettings = (applicationId: string) => ({
  applicationId,
  secretKey: 'sk_test_conformance',
  mode: 'test' as const,
  webhookSecrets: [WEBHOOK_KEY],
})

const CARD = { CardNumber: '4242424242424242', Cvc: '123', ExpiryMonth: '12', ExpiryYear: '2060', CardHolderName: 'Ada Payer' }
const ACCOUNT = { BankAccountName: 'Ada Payer', BankAccountRouting: '000-001', BankAccountNumber: '1234567890' }

const tokenize = async (sandbox: TestSandbox, fields: object): Promise<string> => {
  const response = await fetch(`${sandbox.url}/pinch/test/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

/** Enters a card as the portal's page does; its token. */
export const pinchCardToken = (sandbox: TestSandbox, applicationId: string, more: object = {}): Promise<string> =>
  tokenize(sandbox, { PublishableKey: pinchKey(applicationId), ...CARD, ...more })

/** The same for a bank account. */
export const pinchAccountToken = (sandbox: TestSandbox, applicationId: string, more: object = {}): Promise<string> =>
  tokenize(sandbox, { PublishableKey: pinchKey(applicationId), SourceType: 'bank-account', ...ACCOUNT, ...more })

const EMAIL = 'ada@payer.example'

/** The account of the tests that call the adapter itself. */
export const PINCH_APPLICATION = 'app_conformance'

export const PINCH: ApiProvider = {
  name: 'pinch',
  type: 6,
  currency: 'AUD',
  settings: (id) => pinchSettings(`app-${id}`),
  webhook: (merchantReference, at, secret, isLaterEvent) => {
    // The event comes before the answer, so that Pinch's own id is not known.
    const data = { Payment: { Id: `pmt_${merchantReference.slice(0, 8)}`, Nonce: merchantReference } }
    const Type = isLaterEvent ? 'bank-results' : 'realtime-payment'
    const raw = JSON.stringify({ Id: `evt_${Type}_${merchantReference}`, Type, Data: data })
    const t = Math.floor(at.getTime() / 1_000)
    return { raw, headers: { 'pinch-signature': `t=${t},v2=${createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')}` } }
  },
  leavesToOperator: false,
  knowsRepetitions: true,
  bankType: 'au_becs_debit',
  cardFields: async ({ sandbox, resellerId }, { number: CardNumber = CARD.CardNumber } = {}) => ({
    cardToken: await pinchCardToken(sandbox, `app-${resellerId}`, { CardNumber }),
    cardHolder: 'Ada Payer',
    email: EMAIL,
  }),
  store: {
    card: async (payer, sandbox, { number: CardNumber = CARD.CardNumber } = {}, change = {}) =>
      payer.me.post('/v1/ec/payments/cards', {
        token: await pinchCardToken(sandbox, `app-${payer.resellerId}`, { CardNumber }),
        cardholder: 'Ada Payer',
        email: EMAIL,
        ...change,
      }),
    bank: async (payer, sandbox, _typed, change = {}) =>
      payer.me.post('/v1/ec/payments/setup-intent', {
        paymentMethodId: await pinchAccountToken(sandbox, `app-${payer.resellerId}`),
        paymentMethodType: 'au_becs_debit',
        accountHolderName: 'Ada Payer',
        email: EMAIL,
        ...change,
      }),
  },
  adapter: {
    provider: pinch,
    settings: pinchSettings(PINCH_APPLICATION),
    secrets: ['sk_test_conformance', WEBHOOK_KEY, '"Ada', 'Lovelace', EMAIL, '1234567890', '000001', '192.0.2.1', 'tkn_'],
    givesReferenceFirst: false,
    enterCard: async ({ sandbox }) => ({
      card: {
        typedMethod: { kind: 'token', token: await pinchCardToken(sandbox, PINCH_APPLICATION) },
        holder: 'Ada Lovelace',
        email: EMAIL,
      },
    }),
    declining: {
      card_declined: { minor: 11_005n },
      insufficient_funds: { minor: 11_051n },
      invalid_account: { minor: 11_054n },
      try_again: { minor: 11_097n },
    },
  },
  api: {
    paths: {
      cards: '/v1/ec/payments/cards',
      accounts: '/v1/ec/payments/payment-methods',
      default: '/v1/ec/payments/customer-default-source',
    },
    detach: '/detach',
    listed: {
      card: {
        sourceType: 'CC',
        address: { line1: null, line2: null, city: null, postalCode: null, state: null, country: null },
        pinchCard: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2060, cardHolderName: 'Ada Payer' },
      },
      account: {
        type: 'au_becs_debit',
        status: 'ready',
        aubecsDebit: { bsbNumber: '000001', last4: '7890' },
        billingDetails: { name: 'Ada Payer', email: EMAIL },
      },
    },
    secondCard: { typed: { number: '5555555555554444' }, listed: { pinchCard: { brand: 'mastercard', cardHolderName: 'Ada Payer' } } },
    wrong: {
      card: [
        [{ cardholder: undefined }, 'body.cardholder'],
        [{ cardholder: '  ' }, 'body.cardholder'],
        [{ email: undefined }, 'body.email'],
        [{ email: 'ada' }, 'body.email'],
        [{ token: '4242424242424242' }, 'body'],
        [{ cardholder: '4242424242424242' }, 'body'],
      ],
    },
    options: async (_sandbox, id) => ({ publishableKey: pinchKey(`app-${id}`) }),
    linkPage: (_standIn, id) => ({
      integrationType: null,
      publishableKey: pinchKey(`app-${id}`),
      requiredCardHolder: true,
      requiredEmail: true,
      takesCardNumbers: false,
      isFrame: false,
    }),
    attempt: { providerRef: expect.stringMatching(/^pmt_/), methodShown: { brand: 'visa', last4: '4242' } },
    account: { country: 'AU' },
    wrongSettings: { mode: 'demo' },
    refusedSettings: [{ secretKey: 'sk_test_invalid' }, 'refuses the application id'],
    lostRefund: 'Run the same command again',
    acceptsEveryRefund: true,
    lostOperations: ['refund'],
  },
}
