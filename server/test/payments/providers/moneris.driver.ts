import { expect } from 'vitest'
import { SealedText } from '../../../src/kit/sealed-text.ts'
import type { NewCard, RawCard } from '../../../src/payments/providers/method.ts'
import { moneris } from '../../../src/payments/providers/moneris/moneris.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import type { TestSandbox } from '../sandbox.ts'
import { orderAt } from './adapter-bench.ts'
import type { ApiProvider } from './provider-driver.ts'

export const MONERIS_SETTINGS = { storeId: 'store1', apiToken: 'desk-token-of-store1', ecrNumber: '66000001', profileId: 'htprofile' }

/** Moneris' test cards. */
export const MONERIS_CARDS = { visa: '4242424242424242', mastercard: '5454545454545454', amex: '373599005095005' }

const rawCard = (number = MONERIS_CARDS.visa, securityCode = '739', expYear = 2_031): RawCard => ({
  number: new SealedText(number),
  expMonth: 12,
  expYear,
  securityCode: new SealedText(securityCode),
})

export const typedCard = (number?: string, securityCode?: string, expYear?: number): NewCard => ({
  typedMethod: { kind: 'card', card: rawCard(number, securityCode, expYear) },
})

export const MONERIS_ORDER: ChargeOrder = orderAt(moneris, 'CAD', {
  merchantReference: 'ABCDEFGHJK2345678923',
  invoiceNumbers: ['INV-1'],
  legalName: 'Maple Cellular Inc.',
})

/** A receipt as Moneris writes it. */
export const receiptXml = (fields: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0"?><response><receipt>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</receipt></response>`

/** The receipt of the order above, approved. */
export const approvedFields = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ReceiptId: MONERIS_ORDER.merchantReference,
  ReferenceNum: '660188950010010800',
  ResponseCode: '027',
  ISO: '01',
  AuthCode: 'T32472',
  Message: 'APPROVED           *                    =',
  TransType: '00',
  Complete: 'true',
  TransAmount: '110.00',
  CardType: 'V',
  TransID: '81-0_900',
  TimedOut: 'false',
  ResSuccess: 'true',
  ...more,
})

/** A receipt of what was not processed. */
export const rejectedFields = (Message: string): Record<string, string> => ({
  ReceiptId: 'null',
  ResponseCode: 'null',
  Complete: 'false',
  Message,
  TransAmount: 'null',
  TransID: 'null',
  TimedOut: 'false',
  ResSuccess: 'true',
})

/** A token as Moneris' own fields make it. */
export const temporaryToken = async ({ url }: Pick<TestSandbox, 'url'>, cvd = '739'): Promise<string> => {
  const response = await fetch(`${url}/moneris/HPPtoken/tokenize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'htprofile', pan: MONERIS_CARDS.visa, exp: '1231', cvd }),
  })
  return ((await response.json()) as { dataKey: string }).dataKey
}

export const MONERIS_CONTACT = { phone: '604-555-0100', email: 'ada@payer.example' }
const LISTED = { cardNumber: '***4242', brand: 'visa', month: 12 }

export const MONERIS: ApiProvider = {
  name: 'moneris',
  type: 5,
  currency: 'CAD',
  settings: (id) => ({ ...MONERIS_SETTINGS, storeId: `store${id}` }),
  leavesToOperator: true,
  knowsRepetitions: true,
  settlesCards: '/moneris/close-batch',
  // The clock of a test may advance by years.
  cardFields: async (_page, { number = MONERIS_CARDS.visa, code = '739' } = {}) => ({
    cardNumber: number,
    expirationDate: '2060-12',
    cardCode: code,
  }),
  store: {
    card: (payer, _sandbox, { number = MONERIS_CARDS.visa, code = '739' } = {}, change = {}) =>
      payer.me.post('/v1/ec/moneris/cards', {
        cardNumber: number,
        cvdValue: code,
        expMonth: '12',
        expYear: '2060',
        ...MONERIS_CONTACT,
        ...change,
      }),
  },
  adapter: {
    provider: moneris,
    settings: MONERIS_SETTINGS,
    secrets: [MONERIS_SETTINGS.apiToken, ...Object.values(MONERIS_CARDS), '>739<', ...Object.values(MONERIS_CONTACT), '>3112<'],
    givesReferenceFirst: false,
    enterCard: async (_bench, _purpose, { number, code } = {}) => ({ card: { ...typedCard(number, code), ...MONERIS_CONTACT } }),
    declining: {
      card_declined: { minor: 105n },
      expired_card: { minor: 154n },
      incorrect_cvc: { minor: 120n },
      try_again: { minor: 168n },
      invalid_account: { number: '4539578763621486' },
    },
  },
  api: {
    paths: { cards: '/v1/ec/moneris/cards', default: '/v1/ec/moneris/customer-default-source' },
    listed: { card: { monerisCard: { ...LISTED, year: 2060, ...MONERIS_CONTACT } } },
    secondCard: {
      typed: { number: '5454 5454 5454 5454' },
      change: { expMonth: 7, expYear: 60, phone: '', email: '' },
      listed: { monerisCard: { cardNumber: '***5454', brand: 'mastercard', month: 7, year: 2060, phone: null, email: null } },
    },
    wrong: {
      card: [
        [{ cardNumber: '4242424242424241' }, 'body.cardNumber'],
        [{ cardNumber: undefined }, 'body.cardNumber'],
        [{ cvdValue: '12' }, 'body.cvdValue'],
        [{ cvdValue: undefined }, 'body.cvdValue'],
        [{ expMonth: '13' }, 'body.expMonth'],
        [{ expYear: '2020' }, 'body.expMonth'],
        [{ expYear: undefined }, 'body.expMonth'],
        [{ email: 'ada' }, 'body.email'],
        [{ token: 'ot-abc' }, 'body.cardNumber'],
      ],
    },
    refusedCards: [
      [{ code: '999' }, 'The security code of your card is incorrect.'],
      [{ number: '4539578763621486' }, 'This card cannot be used. Please check its number, or use another card.'],
    ],
    ownFields: {
      fields: (standIn) => ({
        frameUrl: `${standIn}/HPPtoken/index.php?id=htprofile&pmmsg=true&enable_exp=1&enable_cvd=1&display_labels=1`,
      }),
      enter: (sandbox) => temporaryToken(sandbox),
      beside: { phone: '', email: '' },
      listed: { monerisCard: { ...LISTED, year: 2031, phone: null, email: null } },
    },
    linkPage: () => ({ integrationType: null, scriptUrl: null, isFrame: false, takesCardNumbers: true }),
    attempt: {
      merchantReference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{20}$/),
      providerRef: expect.stringMatching(/^\d+-0_\d+$/),
      methodShown: { brand: 'visa', last4: '4242' },
    },
    account: { country: 'CA' },
    wrongSettings: { apiToken: '' },
    refusedSettings: [{ apiToken: 'invalid' }, 'API token mismatch'],
    lostOperations: [],
  },
}
