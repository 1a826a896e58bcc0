import { saveAccount } from '../../../src/payments/accounts/accounts.ts'
import {
  signAuthorizeWebhook,
  signBpointWebhook,
  signNexioWebhook,
  signPinchWebhook,
  type SignWebhook,
  WEBHOOK_KEY,
} from './signed-webhooks.ts'
import type { AppContext } from '../../../src/context.ts'
import { encryptForNexio, NEXIO_CARDS } from '../encrypted-entries.ts'
import { MONERIS_CARDS, MONERIS_SETTINGS } from '../moneris-context.ts'
import { pinchAccountToken, pinchCardToken, pinchSettings } from '../pinch-context.ts'
import type { Answer } from '../../support/http-client.ts'
import type { PayingCustomer } from '../payments-fixture.ts'
import {
  frameUrlIn,
  ippaySettings,
  setIPpayClock,
  stateOf,
  submitHostedPage,
  TYPED_ACCOUNT,
  TYPED_CARD as TYPED_HOSTED_CARD,
} from '../test-ippay.ts'
import { accountKeys, type TestSandbox, WEBHOOK_SECRET } from '../sandbox.ts'
import { attachAtBpoint, BPOINT_SETTINGS, bpointBank, bpointCard, setBpointClock, storeAtBpoint } from '../attached-entries.ts'

/** What the page of a payment link has to enter a card with. */
export interface LinkPage {
  readonly sandbox: TestSandbox
  readonly resellerId: number
  /** Starts the provider's own fields. */
  readonly startFields: () => Promise<Readonly<Record<string, string>>>
  /** Loads the document with the provider's frame. */
  readonly loadTemplate: () => Promise<string>
}

/** What is typed of a card where it is another one than usual. */
export interface TypedDetails {
  readonly number?: string
  readonly code?: string
  readonly zip?: string
}

/** Who stores a method. */
type Storer = { readonly me: Pick<PayingCustomer['me'], 'get' | 'post'>; readonly resellerId: number }

/** A provider as its stand-in speaks it over the wire, and how to pay through it. */
export interface WireProvider {
  readonly name: string
  readonly type: number
  readonly currency: string
  readonly settings: (resellerId: number) => object
  /** Whether an operator decides about a payment that was perhaps never sent: nothing at the provider proves that it was not. */
  readonly leavesToOperator: boolean
  /** Whether it recognizes a request that arrives twice. */
  readonly knowsRepetitions: boolean
  /** What the page of a payment link sends of the card. */
  readonly cardFields: (page: LinkPage, typed?: TypedDetails) => Promise<object>
  /** What a payment by bank account is sent as; eCheck by default. */
  readonly bankType?: string
  /** A webhook about a payment; absent where the provider sends none. */
  readonly webhook?: SignWebhook
  /** Whether its webhooks are hints that nobody signs: a forged one is answered like any other. */
  readonly hasUnsignedWebhooks?: true
  /** Sets the stand-in's clock, where payments are found by the day on which they were made. */
  readonly setClock?: (sandbox: TestSandbox, at: Date) => Promise<void>
  /** Stores methods through the API; each gives the method's id. */
  readonly store: Readonly<Partial<Record<'card' | 'bank', (payer: Storer, sandbox: TestSandbox) => Promise<Answer>>>>
}

const AUTHORIZE_CARD = {
  cardNumber: '4111111111111111',
  expirationDate: '2060-12',
  address: '1 Quay Street',
  city: 'Fort Wayne',
  state: 'IN',
  zip: '46201',
  country: 'US',
}
const AUTHORIZE_ACCOUNT = {
  routingNumber: '121042882',
  accountNumber: '123456789',
  nameOnAccount: 'Ada Payer',
  bankName: 'First Bank',
  accountType: 'checking',
}
const NEXIO_CARD = {
  firstSix: '411111',
  lastFour: '1111',
  cvv: '123',
  cardType: 'Visa',
  expirationMonth: '12',
  expirationYear: '2060',
  cardHolderName: 'Ada Holder',
  customer: { payerFirstName: 'Ada', payerLastName: 'Payer', shippingAddress: '2 Harbour Road' },
}
const NEXIO_ACCOUNT = {
  routingNumber: '231375151',
  accountHolderName: 'Ada Holder',
  email: 'ada@payer.example',
  billingAddress: '1 Quay Street',
  lastFour: '6789',
}
// The clock of a test may advance by years.
const TYPED_CARD = { expirationDate: '2060-12', cardCode: '739' }

/** A card as it is typed on our page; the address where it matters. */
const typedFields = (cardNumber: string, { code = TYPED_CARD.cardCode, zip }: TypedDetails) => ({
  ...TYPED_CARD,
  cardNumber,
  cardCode: code,
  ...(zip === undefined ? {} : { billingAddress: { address: '1 Quay Street', city: 'Fort Wayne', state: 'IN', zip, country: 'US' } }),
})

/** Stores what is typed into the hosted page of a template. */
const storeByFrame = async (payer: Storer, type: 'CC' | 'ACH', typed: Record<string, string>): Promise<Answer> => {
  const template = (await payer.me.get(`/v1/ec/ippay/cards/${type}/templates`)).body
  return payer.me.post('/v1/ec/ippay/cards', { token: stateOf(await submitHostedPage(frameUrlIn(template), typed)) })
}

// The clock of the stand-in is set ahead with that of a test.
const HOSTED_CARD = { ...TYPED_HOSTED_CARD, Expiry: '12 / 60' }

/** Every provider that takes payments, by name. */
export const WIRE_PROVIDERS: readonly WireProvider[] = [
  {
    name: 'stripe',
    type: 1,
    currency: 'AUD',
    settings: (id) => ({ secretKey: accountKeys(id).secret, webhookSecrets: [WEBHOOK_SECRET] }),
    leavesToOperator: false,
    knowsRepetitions: true,
    cardFields: async () => ({ cardToken: 'pm_card_visa' }),
    store: {},
  },
  {
    name: 'moneris',
    type: 5,
    currency: 'CAD',
    settings: (id) => ({ ...MONERIS_SETTINGS, storeId: `store${id}` }),
    leavesToOperator: true,
    knowsRepetitions: true,
    cardFields: async (_page, typed = {}) => typedFields(typed.number ?? MONERIS_CARDS.visa, typed),
    store: {
      card: (payer) =>
        payer.me.post('/v1/ec/moneris/cards', { cardNumber: MONERIS_CARDS.visa, cvdValue: '739', expMonth: '12', expYear: '2060' }),
    },
  },
  {
    name: 'authorize',
    type: 2,
    currency: 'USD',
    settings: (id) => ({ loginId: `login${id}`, transactionKey: 'a-secret-key', webhookSecrets: [WEBHOOK_KEY] }),
    webhook: signAuthorizeWebhook,
    leavesToOperator: false,
    knowsRepetitions: true,
    cardFields: async (_page, typed = {}) => typedFields(typed.number ?? AUTHORIZE_CARD.cardNumber, typed),
    store: {
      card: (payer) => payer.me.post('/v1/ec/autorize/cards', AUTHORIZE_CARD),
      bank: (payer) => payer.me.post('/v1/ec/autorize/ach', AUTHORIZE_ACCOUNT),
    },
  },
  {
    name: 'ippay',
    type: 4,
    currency: 'USD',
    settings: (id) => ippaySettings(`TERM${id}`),
    leavesToOperator: false,
    knowsRepetitions: true,
    cardFields: async ({ loadTemplate }, { number: CardNum = HOSTED_CARD.CardNum, code: CVV2 = HOSTED_CARD.CVV2 } = {}) => ({
      cardToken: stateOf(await submitHostedPage(frameUrlIn(await loadTemplate()), { ...HOSTED_CARD, CardNum, CVV2 })),
    }),
    setClock: setIPpayClock,
    store: {
      card: (payer) => storeByFrame(payer, 'CC', HOSTED_CARD),
      bank: (payer) => storeByFrame(payer, 'ACH', TYPED_ACCOUNT),
    },
  },
  {
    name: 'nexio',
    type: 8,
    currency: 'USD',
    settings: (id) => ({ username: `user-${id}`, password: 'correct horse', webhookSecrets: [WEBHOOK_KEY] }),
    webhook: signNexioWebhook,
    leavesToOperator: false,
    knowsRepetitions: false,
    cardFields: async ({ sandbox }, typed = {}) => ({
      ...typedFields(await encryptForNexio(sandbox, typed.number ?? NEXIO_CARDS.good), typed),
      nexioCustomerDetails: { payerFirstName: 'Ada', payerLastName: 'Payer' },
    }),
    store: {
      card: async (payer, sandbox) =>
        payer.me.post('/v1/ec/nexio/cards', {
          ...NEXIO_CARD,
          encryptedNumber: await encryptForNexio(sandbox, NEXIO_CARDS.good),
        }),
      bank: async (payer, sandbox) =>
        payer.me.post('/v1/ec/nexio/ach', {
          ...NEXIO_ACCOUNT,
          encryptedBankAccountNumber: await encryptForNexio(sandbox, '123456789'),
        }),
    },
  },
  {
    name: 'bpoint',
    type: 10,
    currency: 'AUD',
    settings: (id) => ({ ...BPOINT_SETTINGS, merchantNumber: String(5_353_109_000_000_000 + id) }),
    webhook: signBpointWebhook,
    hasUnsignedWebhooks: true,
    setClock: setBpointClock,
    leavesToOperator: false,
    knowsRepetitions: true,
    cardFields: async ({ sandbox, startFields }, { number = '4987654321098769', code: cvn = '123' } = {}) => {
      const { authKey = '' } = await startFields()
      await attachAtBpoint(sandbox, 'txns', authKey, bpointCard({ number, cvn }))
      return { cardToken: authKey }
    },
    bankType: 'au_becs_debit',
    store: {
      card: (payer, sandbox) => storeAtBpoint(payer, sandbox),
      bank: (payer, sandbox) => storeAtBpoint(payer, sandbox, bpointBank()),
    },
  },
  {
    name: 'pinch',
    type: 6,
    currency: 'AUD',
    settings: (id) => pinchSettings(`app-${id}`, WEBHOOK_KEY),
    webhook: signPinchWebhook,
    leavesToOperator: false,
    knowsRepetitions: true,
    bankType: 'au_becs_debit',
    cardFields: async ({ sandbox, resellerId }, { number: CardNumber = '4242424242424242' } = {}) => ({
      cardToken: await pinchCardToken(sandbox, `app-${resellerId}`, { CardNumber }),
      cardHolder: 'Ada Payer',
      email: 'ada@payer.example',
    }),
    store: {
      card: async (payer, sandbox) =>
        payer.me.post('/v1/ec/payments/cards', {
          token: await pinchCardToken(sandbox, `app-${payer.resellerId}`),
          cardholder: 'Ada Payer',
          email: 'ada@payer.example',
        }),
      bank: async (payer, sandbox) =>
        payer.me.post('/v1/ec/payments/setup-intent', {
          paymentMethodId: await pinchAccountToken(sandbox, `app-${payer.resellerId}`),
          paymentMethodType: 'au_becs_debit',
          accountHolderName: 'Ada Payer',
          email: 'ada@payer.example',
        }),
    },
  },
]

/** @throws Error for a name that no provider has */
export const findWireProvider = (name: string): WireProvider => {
  const provider = WIRE_PROVIDERS.find((one) => one.name === name)
  if (provider === undefined) throw new Error(`there is no provider ${name}`)
  return provider
}

/** Connects a reseller to its own account at the provider's stand-in, or to that of another reseller. */
export const connectWireProvider = (
  context: AppContext,
  sandbox: TestSandbox,
  { name: provider, settings }: WireProvider,
  resellerId: number,
  owner = resellerId,
): Promise<void> => saveAccount(context, { resellerId, provider, baseUrl: `${sandbox.url}/${provider}`, settings: settings(owner) })
