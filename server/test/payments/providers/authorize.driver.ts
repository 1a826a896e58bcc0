import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { TestSandbox } from '../sandbox.ts'
import { SealedText } from '../../../src/kit/sealed-text.ts'
import type { KnownMethod, NewCard, NewMethod } from '../../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import { authorize } from '../../../src/payments/providers/authorize/authorize.ts'
import type { AuthorizeContext, Fields } from '../../../src/payments/providers/authorize/authorize-client.ts'
import type { AuthorizeSettings } from '../../../src/payments/providers/authorize/authorize.settings.ts'
import { adapterContext, orderAt, storeDirectly, useSandbox } from './adapter-bench.ts'
import { type ApiProvider, type TypedDetails, WEBHOOK_KEY } from './provider-driver.ts'

const ACCOUNT = 'conformance'
const VISA = '4111111111111111'
const TRANSACTION_KEY = 'a-secret-key-123'
const ROUTING_NUMBER = '121042882'

export const AUTHORIZE_SETTINGS: AuthorizeSettings = { loginId: ACCOUNT, transactionKey: TRANSACTION_KEY, webhookSecrets: [WEBHOOK_KEY] }

/** The sandbox's Authorize.net as these tests reach it. */
export interface TestAuthorize {
  readonly sandbox: TestSandbox
  context(settings?: Partial<AuthorizeSettings>, now?: Date): AuthorizeContext
  storeCard(context?: AuthorizeContext): Promise<KnownMethod>
  storeAccount(context?: AuthorizeContext): Promise<KnownMethod>
  /** Settles every pending card payment and refund. */
  settleBatch(): Promise<void>
  settle(id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<void>
  fault(order: { operation: string; kind: string; times?: number; ms?: number; booked?: boolean }): Promise<void>
  /** Sends a request past the adapter, such as what a merchant does at the gateway. */
  call(name: string, fields: Fields, loginId?: string): Promise<Record<string, unknown>>
}

/** A card as it is typed on our page. */
export const newCard = ({ number = VISA, expYear = 2031, zip = '' }: TypedDetails = {}): NewCard => ({
  typedMethod: {
    kind: 'card',
    card: { number: new SealedText(number), expMonth: 12, expYear, securityCode: new SealedText('123') },
  },
  holder: 'Ada Payer',
  ...(zip === '' ? {} : { address: { line1: '1 Quay Street', city: 'Fort Wayne', state: 'IN', postalCode: zip, country: 'US' } }),
})

/** A bank account as it is typed on our page. */
export const newAccount = (number = '123456789'): NewMethod => ({
  type: 'eCheck',
  holder: 'Ada Payer',
  typedMethod: {
    kind: 'bank',
    account: { number: new SealedText(number), bankCode: ROUTING_NUMBER, bankName: 'First Bank', accountType: 'checking' },
  },
})

/** An order over fifty dollars. */
export const newOrder = (change: Partial<ChargeOrder> = {}): ChargeOrder =>
  orderAt(authorize, 'USD', { amount: { minor: 5_000n, currency: 'USD' }, ...change })

/** Calls the sandbox's Authorize.net past the adapter. */
const callAuthorize = async ({ url }: Pick<TestSandbox, 'url'>, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${url}/authorize/xml/v1/request.api`, { method: 'POST', body: JSON.stringify(body) })
  return JSON.parse((await answer.text()).replace('\uFEFF', '')) as Record<string, unknown>
}

/** Enters a card as Accept.js does; the opaque pair that stands for it. */
export const acceptToken = async (sandbox: Pick<TestSandbox, 'url'>, name = ACCOUNT): Promise<string> => {
  const token = { cardNumber: VISA, expirationDate: '122031', cardCode: '123' }
  const answer = await callAuthorize(sandbox, {
    securePaymentContainerRequest: { merchantAuthentication: { name, clientKey: 'a-public-key' }, data: { type: 'TOKEN', id: '1', token } },
  })
  const { dataDescriptor, dataValue } = answer['opaqueData'] as { dataDescriptor: string; dataValue: string }
  return `${dataDescriptor}|${dataValue}`
}

/** Starts the sandbox for a test file. */
export const startTestAuthorize = async (): Promise<TestAuthorize> => {
  const sandbox = await useSandbox()
  const context = (settings: Partial<AuthorizeSettings> = {}, now = new Date()): AuthorizeContext =>
    adapterContext(authorize, sandbox, { ...AUTHORIZE_SETTINGS, ...settings }, { now })
  return {
    sandbox,
    context,
    storeCard: (at = context()) => storeDirectly(authorize, at, { ...newCard(), type: 'card' }),
    storeAccount: (at = context()) => storeDirectly(authorize, at, newAccount()),
    settleBatch: () => sandbox.post('/authorize/settle-batch', {}),
    settle: (id, outcome) => sandbox.post('/settle', { provider: 'authorize', id, outcome }),
    fault: (order) => sandbox.fault({ provider: 'authorize', ...order }),
    call: async (name, fields, loginId = ACCOUNT) => {
      const body = { [name]: { merchantAuthentication: { name: loginId, transactionKey: TRANSACTION_KEY }, ...fields } }
      return callAuthorize(sandbox, body)
    },
  }
}

const ADDRESS = { address: '1 Quay Street', city: 'Fort Wayne', state: 'IN', country: 'US' }

export const AUTHORIZE: ApiProvider = {
  name: 'authorize',
  type: 2,
  currency: 'USD',
  settings: (id) => ({ loginId: `login${id}`, transactionKey: 'a-secret-key', webhookSecrets: [WEBHOOK_KEY] }),
  webhook: (merchantReference, _at, secret, isLaterEvent) => {
    const payload = { entityName: 'transaction', invoiceNumber: merchantReference }
    const kind = isLaterEvent ? 'refund' : 'authcapture'
    const eventType = `net.authorize.payment.${kind}.created`
    const raw = JSON.stringify({ notificationId: `${kind} of ${merchantReference}`, eventType, payload })
    return { raw, headers: { 'x-anet-signature': `sha512=${createHmac('sha512', secret).update(raw).digest('hex')}` } }
  },
  leavesToOperator: false,
  knowsRepetitions: true,
  settlesCards: 'each',
  // The clock of a test may advance by years.
  cardFields: async (_page, { number = VISA, code = '739', zip } = {}) => ({
    cardNumber: number,
    expirationDate: '2060-12',
    cardCode: code,
    ...(zip === undefined ? {} : { billingAddress: { ...ADDRESS, zip } }),
  }),
  store: {
    card: (payer, _sandbox, { number = VISA, zip = '46201' } = {}, change = {}) =>
      payer.me.post('/v1/ec/autorize/cards', {
        cardNumber: number,
        expirationDate: '2060-12',
        company: 'Nimbus Ltd',
        ...ADDRESS,
        zip,
        ...change,
      }),
    bank: (payer, _sandbox, _typed, change = {}) =>
      payer.me.post('/v1/ec/autorize/ach', {
        routingNumber: ROUTING_NUMBER,
        accountNumber: '123456789',
        nameOnAccount: 'Ada Payer',
        bankName: 'First Bank',
        accountType: 'checking',
        ...change,
      }),
  },
  adapter: {
    provider: authorize,
    settings: AUTHORIZE_SETTINGS,
    secrets: [TRANSACTION_KEY, WEBHOOK_KEY, ACCOUNT, VISA, 'Payer', '1 Quay Street', '"Ada', '192.0.2.1', 'a browser'],
    givesReferenceFirst: false,
    refundsInParts: false,
    enterCard: async (_bench, _purpose, { token, ...typed } = {}) => ({
      card: token === undefined ? newCard(typed) : { typedMethod: { kind: 'token', token } },
    }),
    declining: {
      card_declined: { zip: '46282' },
      expired_card: { expYear: 2020 },
      invalid_account: { number: '4111111111111112' },
      enter_again: { token: 'COMMON.ACCEPT.INAPP.PAYMENT|no-such-pair' },
    },
    approveWithoutStoring: (bench) => bench.context({ ...AUTHORIZE_SETTINGS, loginId: 'conformance-testmode' }),
    heldForReview: { zip: '46298' },
  },
  api: {
    paths: { cards: '/v1/ec/autorize/cards', accounts: '/v1/ec/autorize/ach', default: '/v1/ec/autorize/customer-default-source' },
    listed: {
      card: {
        sourceType: 'CC',
        address: { line1: '1 Quay Street', line2: null, city: 'Fort Wayne', postalCode: '46201', state: 'IN', country: 'US' },
        authorizeCard: { brand: 'Visa', last4: '1111' },
        legalName: 'Nimbus Ltd',
      },
      account: {
        type: 'eCheck',
        status: 'ready',
        routingNumber: 'XXXX2882',
        accountNumber: 'XXXX6789',
        lastFour: '6789',
        nameOnAccount: 'Ada Payer',
        bankName: 'First Bank',
        accountType: 'checking',
        billingDetails: { name: 'Ada Payer' },
      },
    },
    secondCard: { typed: { number: '3700 000000 00002' }, listed: { authorizeCard: { brand: 'amex', last4: '0002' } } },
    wrong: {
      card: [
        [{ cardNumber: '4111111111111112' }, 'body.cardNumber'],
        [{ cardNumber: undefined }, 'body.cardNumber'],
        [{ expirationDate: '2020-01' }, 'body.expirationDate'],
        [{ expirationDate: undefined }, 'body.expirationDate'],
        [{ token: 'COMMON|x' }, 'body.cardNumber'],
      ],
      bank: [
        [{ routingNumber: '121042881' }, 'body.routingNumber'],
        [{ routingNumber: '12345' }, 'body.routingNumber'],
        [{ accountNumber: '1234' }, 'body.accountNumber'],
        [{ accountNumber: '123456789012345678' }, 'body.accountNumber'],
        [{ nameOnAccount: ' ' }, 'body.nameOnAccount'],
        [{ nameOnAccount: 'A name of 23 characters' }, 'body.nameOnAccount'],
        [{ bankName: ' ' }, 'body.bankName'],
      ],
    },
    refusedCards: [[{ zip: '46282' }, 'This transaction has been declined.']],
    ownFields: {
      fields: (_standIn, id) => ({ apiLoginID: `login${id}`, clientKey: expect.any(String) }),
      enter: (sandbox, { apiLoginID }) => acceptToken(sandbox, apiLoginID),
      beside: { zip: '46217' },
      listed: { authorizeCard: { last4: '1111' } },
    },
    linkPage: (standIn) => ({ integrationType: null, scriptUrl: `${standIn}/v1/Accept.js`, isFrame: false, takesCardNumbers: true }),
    attempt: { merchantReference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{20}$/) },
    clearsAtOnce: { returnDays: 0 },
    debitDays: 0,
    account: {},
    wrongSettings: { returnDays: 61 },
    refusedSettings: [{ loginId: 'nodetails' }, 'Enable the Transaction Details API'],
    partBeforeSettlement: 'after it is settled',
    lostRefund: 'Nobody knows whether it was refunded',
    lostOperations: ['void', 'refund'],
  },
}
