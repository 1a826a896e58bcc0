import { bpoint } from '../../../src/payments/providers/bpoint/bpoint.ts'
import type { TestSandbox } from '../sandbox.ts'
import type { ApiProvider, Storer, TypedDetails } from './provider-driver.ts'

export const BPOINT_SETTINGS = { username: 'portal', password: 'correct horse', merchantNumber: '5353109000000000' }

/** A card as a browser attaches it. The clock of a test may advance by years. */
export const bpointCard = (more: object = {}) => ({
  card: { number: '4987654321098769', expiry: { month: '12', year: '60' }, cvn: '123', name: 'Ada Holder', ...more },
})

/** A bank account as a browser attaches it. */
export const bpointBank = (more: object = {}) => ({ bank: { bsb: '062000', account: '12345678', name: 'Ada Holder', ...more } })

const toCard = ({ number, code }: TypedDetails = {}) =>
  bpointCard({ ...(number === undefined ? {} : { number }), ...(code === undefined ? {} : { cvn: code }) })

/** Attaches a method to a key, straight to the sandbox's BPOINT, as its script does. */
export const attachAtBpoint = async (
  { url }: Pick<TestSandbox, 'url'>,
  kind: 'txns' | 'tokens',
  authKey: string,
  method: object,
): Promise<number> => {
  const answer = await fetch(`${url}/bpoint/rest/v5/${kind}/authkeys/${authKey}/payment-method`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(method),
  })
  return answer.status
}

/** Opens a key to store a method with. */
export const requestBpointKey = async ({ me }: Pick<Storer, 'me'>): Promise<string> =>
  (await me.get('/v1/ec/bpoint/authkeys')).json<{ authKey: string }>().authKey

/** Stores a method of a customer through the API. */
export const storeAtBpoint = async (payer: Pick<Storer, 'me'>, sandbox: TestSandbox, method: object = bpointCard()) => {
  const authKey = await requestBpointKey(payer)
  await attachAtBpoint(sandbox, 'tokens', authKey, method)
  return payer.me.post('/v1/ec/bpoint/cards', { authKeys: authKey })
}

export const BPOINT: ApiProvider = {
  name: 'bpoint',
  type: 10,
  currency: 'AUD',
  settings: (id) => ({ ...BPOINT_SETTINGS, merchantNumber: String(5_353_109_000_000_000 + id) }),
  webhook: (merchantReference) => {
    const data = { merchantReference: merchantReference, responseCode: '0', bankResponseCode: '00' }
    return { raw: JSON.stringify({ type: 'transaction', data }), headers: {} }
  },
  hasUnsignedWebhooks: true,
  setClock: (sandbox, at) => sandbox.post('/bpoint/clock', { at: at.toISOString() }),
  leavesToOperator: false,
  knowsRepetitions: true,
  cardFields: async ({ sandbox, startFields }, typed) => {
    const { authKey = '' } = await startFields()
    await attachAtBpoint(sandbox, 'txns', authKey, toCard(typed))
    return { cardToken: authKey }
  },
  bankType: 'au_becs_debit',
  store: {
    card: (payer, sandbox, typed) => storeAtBpoint(payer, sandbox, toCard(typed)),
    bank: (payer, sandbox) => storeAtBpoint(payer, sandbox, bpointBank()),
  },
  adapter: {
    provider: bpoint,
    settings: { ...BPOINT_SETTINGS, testMode: true },
    secrets: ['correct horse', '4987654321098769', 'Ada Holder', 'ada@payer.example', '498765...769'],
    givesReferenceFirst: true,
    enterCard: async (bench, purpose, typed) => {
      const customer = { customerId: 7, email: 'ada@payer.example' }
      const session = await bpoint.entry.createCardForm?.(bench.context(), purpose, purpose === 'store' ? customer : undefined)
      const authKey = session?.entryReference ?? session?.fields['authKey'] ?? ''
      await attachAtBpoint(bench.sandbox, purpose === 'store' ? 'tokens' : 'txns', authKey, toCard(typed))
      return { card: { typedMethod: { kind: 'token', token: authKey }, holder: 'Ada Holder' }, entryReference: authKey }
    },
    declining: {
      card_declined: { minor: 11_005n },
      insufficient_funds: { minor: 11_051n },
      expired_card: { minor: 11_054n },
      incorrect_cvc: { code: '987' },
      enter_again: { entryReference: 'another-key-of-this-form' },
    },
    // BPOINT in test mode, although the reseller's account is not.
    approveWithoutStoring: (bench) => {
      const live = bench.context({ ...BPOINT_SETTINGS, testMode: false })
      const send: typeof live.http.send = ({ body, ...request }) =>
        live.http.send({ ...request, ...(body === undefined ? {} : { body: body.replace('"testMode":false', '"testMode":true') }) })
      return { ...live, http: { send } }
    },
  },
  api: {
    paths: { cards: '/v1/ec/bpoint/cards', default: '/v1/ec/bpoint/customer-default-source' },
    listed: {
      card: {
        sourceType: 'CC',
        type: 'card',
        accountHolderName: 'Ada Holder',
        bPointCard: {
          scheme: 'VC',
          number: '498765...769',
          expiryMonth: 12,
          expiryYear: 2060,
          name: 'Ada Holder',
          emailAddress: null,
        },
      },
      account: {
        sourceType: 'ACH',
        type: 'au_becs_debit',
        accountHolderName: 'Ada Holder',
        bPointBankAccount: { bsb: '062000', account: '5678' },
      },
    },
    secondCard: { typed: { number: '5123456789012346' }, listed: { bPointCard: { scheme: 'MC' } } },
    linkPage: (standIn) => ({
      integrationType: null,
      scriptUrl: `${standIn}/rest/clientscripts/api.js`,
      isFrame: false,
      requiredCardHolder: true,
      takesCardNumbers: false,
    }),
    attempt: { methodShown: { maskedNumber: '498765...769' } },
    account: {},
    wrongSettings: { merchantNumber: '' },
    refusedSettings: [{ password: 'invalid password' }, 'refuses the user name'],
    lostOperations: ['refund'],
  },
}
