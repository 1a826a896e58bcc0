import { createReference } from '../../../src/payments/attempts/merchant-reference.ts'
import type { IPpayContext } from '../../../src/payments/providers/ippay/ippay-client.ts'
import { ippay } from '../../../src/payments/providers/ippay/ippay.ts'
import type { IPpaySettings } from '../../../src/payments/providers/ippay/ippay.settings.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import type { TestSandbox } from '../sandbox.ts'
import { type AdapterBench, adapterContext, orderAt, storeDirectly } from './adapter-bench.ts'
import type { ApiProvider, Storer } from './provider-driver.ts'

/** IPpay's test cards, and those of its stand-in. */
export const IPPAY_CARDS = {
  good: '4000300020001000',
  mastercard: '5454545454545454',
  screened: '4000300020001103',
  declined: '4000300020001208',
} as const

const IPPAY_ACCOUNT = { ABA: '071025661', AccountNumber: '11111999' } as const

const TERMINAL_PASSWORD = 'terminal-secret'
const REPORT_PASSWORD = 'report-secret'

export const ippaySettings = (terminalId: string): IPpaySettings => ({
  terminalId,
  password: TERMINAL_PASSWORD,
  merchantId: 'MERCHANT1',
  reportPassword: REPORT_PASSWORD,
  hostedSecret: `${terminalId}-secret`,
})

/** What a payer types into the hosted page. */
export const TYPED_CARD = { CardName: 'Ada Payer', CardNum: IPPAY_CARDS.good, Expiry: '12 / 31', CVV2: '123' }
export const TYPED_ACCOUNT = { CardName: 'Ada Payer', ...IPPAY_ACCOUNT }

type Fields = Readonly<Record<string, string>>

const unescapeHtml = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The address of the frame in a template. */
export const frameUrlIn = (template: string): URL => {
  const src = /<iframe[^>]* src="([^"]+)"/.exec(template)?.[1]
  if (src === undefined) throw new Error(`there is no frame in ${template}`)
  return new URL(unescapeHtml(src))
}

/** A form post that the hosted page makes the browser send. */
export interface HostedReturn {
  readonly url: URL
  readonly fields: Fields
}

/** Fills in and sends the hosted page of a frame. @throws Error with the page where it did not accept what was typed */
export const submitHostedPage = async (frameUrl: URL, typed: Fields): Promise<HostedReturn> => {
  const body = new URLSearchParams({ ...Object.fromEntries(frameUrl.searchParams), ...typed })
  const page = await (await fetch(`${frameUrl.origin}${frameUrl.pathname}`, { method: 'POST', body })).text()
  const action = /<form method="post" action="([^"]+)" class="return">/.exec(page)?.[1]
  if (action === undefined) throw new Error(page)
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return {
    url: new URL(unescapeHtml(action)),
    fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)])),
  }
}

/** The signed state at the end of a return address. */
export const stateOf = ({ url }: Pick<HostedReturn, 'url'>): string => url.pathname.split('/').at(-1) ?? ''

/** The message of the page on which a frame ends, and for whom it is. */
export const messageIn = (page: string): { message: string; origin: string } => {
  const [, message = '', origin = ''] = /data-message="([^"]*)" data-origin="([^"]*)"/.exec(page) ?? []
  return { message: unescapeHtml(message), origin }
}

/** Enters a card or an account on the hosted page. @returns our reference of it */
const enterAtIPpay = async ({ context }: Pick<AdapterBench, 'context'>, typed: Fields, kind: 'card' | 'bank' = 'card') => {
  const reference = createReference(ippay.reference, '')
  const url = ippay.frames?.url(context(), {
    reference,
    kind,
    buttonText: 'Save',
    amount: null,
    orderNumber: '',
    fields: ['name'],
    requiredFields: ['name'],
    returnUrl: 'http://localhost:3000/payment-return/state',
  })
  await submitHostedPage(new URL(url ?? ''), typed)
  return reference
}

const TERMINAL = 'CONFORMANCE'

/** The sandbox's IPpay as the adapter reaches it. */
export const testIPpay = (sandbox: TestSandbox) => {
  const context = (now = new Date()): IPpayContext => adapterContext(ippay, sandbox, ippaySettings(TERMINAL), { now })
  const enter = (typed: Fields, kind?: 'card' | 'bank') => enterAtIPpay({ context: () => context() as never }, typed, kind)
  const store = async (typed: Fields, kind: 'card' | 'bank') => {
    const typedMethod = { kind: 'token', token: await enter(typed, kind) } as const
    return storeDirectly(ippay, context(), { type: kind === 'card' ? 'card' : 'eCheck', typedMethod, holder: 'Ada Payer' })
  }
  return {
    context,
    enter,
    storeCard: () => store(TYPED_CARD, 'card'),
    storeAccount: () => store(TYPED_ACCOUNT, 'bank'),
  }
}

/** An order as the engine makes it. */
export const ippayOrder = (change: Partial<ChargeOrder> = {}): ChargeOrder =>
  orderAt(ippay, 'USD', { invoiceNumbers: ['INV-1'], legalName: 'Prairie IP, Inc.', ...change })

/** Stores what is typed into the hosted page of a template. */
const storeByFrame = async (payer: Storer, type: 'CC' | 'ACH', typed: Fields, change: object) => {
  const template = (await payer.me.get(`/v1/ec/ippay/cards/${type}/templates`)).body
  return payer.me.post('/v1/ec/ippay/cards', { token: stateOf(await submitHostedPage(frameUrlIn(template), typed)), ...change })
}

// The clock of the stand-in is set ahead with that of a test.
const HOSTED_CARD = { ...TYPED_CARD, Expiry: '12 / 60' }

export const IPPAY: ApiProvider = {
  name: 'ippay',
  type: 4,
  currency: 'USD',
  settings: (id) => ippaySettings(`TERM${id}`),
  leavesToOperator: false,
  knowsRepetitions: true,
  settlesCards: '/ippay/settle-batch',
  cardFields: async ({ loadTemplate }, { number: CardNum = HOSTED_CARD.CardNum, code: CVV2 = HOSTED_CARD.CVV2 } = {}) => ({
    cardToken: stateOf(await submitHostedPage(frameUrlIn(await loadTemplate()), { ...HOSTED_CARD, CardNum, CVV2 })),
  }),
  setClock: (sandbox, at) => sandbox.post('/ippay/clock', { now: at.getTime() }),
  store: {
    card: (payer, _sandbox, { number: CardNum = HOSTED_CARD.CardNum } = {}, change = {}) =>
      storeByFrame(payer, 'CC', { ...HOSTED_CARD, CardNum }, change),
    bank: (payer, _sandbox, _typed, change = {}) => storeByFrame(payer, 'ACH', TYPED_ACCOUNT, change),
  },
  adapter: {
    provider: ippay,
    settings: ippaySettings(TERMINAL),
    secrets: [
      TERMINAL_PASSWORD,
      REPORT_PASSWORD,
      IPPAY_CARDS.good,
      IPPAY_ACCOUNT.AccountNumber,
      IPPAY_ACCOUNT.ABA,
      'Ada Payer',
      '192.0.2.1',
    ],
    givesReferenceFirst: false,
    forgetsRemoved: false,
    enterCard: async (bench) => ({
      card: { typedMethod: { kind: 'token', token: await enterAtIPpay(bench, TYPED_CARD) }, holder: 'Ada Payer' },
    }),
    declining: {
      card_declined: { minor: 11_005n },
      insufficient_funds: { minor: 11_051n },
      expired_card: { minor: 11_054n },
      incorrect_cvc: { minor: 11_082n },
      try_again: { minor: 11_091n },
      invalid_account: { minor: 11_014n },
    },
  },
  api: {
    paths: { cards: '/v1/ec/ippay/cards', default: '/v1/ec/ippay/cards' },
    listed: {
      // The expiry and the routing number come with the return of the frame alone.
      card: { sourceType: 'CC', ipPayCard: { type: 'visa', number: '****1000', expiryMonth: null, expiryYear: null } },
      account: { sourceType: 'ACH', ipPayBankAccount: { accNum: '****1999', routingNum: null } },
    },
    secondCard: { typed: { number: IPPAY_CARDS.mastercard }, listed: { ipPayCard: { type: 'mastercard', number: '****5454' } } },
    storeOperation: 'lookup',
    linkPage: () => ({ isFrame: true, requiredCardHolder: true, scriptUrl: null }),
    attempt: { methodShown: { brand: 'visa', last4: '1000' } },
    debitDays: 2,
    account: { country: 'US' },
    wrongSettings: { hostedSecret: 'x' },
    refusedSettings: [{ terminalId: 'INVALID1' }, 'refuses the terminal'],
    lostRefund: 'Nobody knows whether it was refunded',
    lostOperations: ['void', 'refund'],
  },
}
