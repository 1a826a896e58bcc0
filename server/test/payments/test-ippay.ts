import { createHttpClient } from '../../src/kit/outgoing-http.ts'
import { createProviderCache } from '../../src/payments/accounts/provider-cache.ts'
import { createReference } from '../../src/payments/attempts/merchant-reference.ts'
import type { IPpayContext } from '../../src/payments/providers/ippay/ippay-client.ts'
import { ippay } from '../../src/payments/providers/ippay/ippay.ts'
import type { IPpaySettings } from '../../src/payments/providers/ippay/ippay.settings.ts'
import type { KnownMethod } from '../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../src/payments/providers/order.ts'
import type { TestSandbox } from './sandbox.ts'

/** IPpay's test cards, and those of its stand-in. */
export const IPPAY_CARDS = {
  good: '4000300020001000',
  mastercard: '5454545454545454',
  screened: '4000300020001103',
  declined: '4000300020001208',
} as const

export const IPPAY_ACCOUNT = { ABA: '071025661', AccountNumber: '11111999' } as const

export const TERMINAL_PASSWORD = 'terminal-secret'
export const REPORT_PASSWORD = 'report-secret'

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

/** Sets the clock of the stand-in, whose reports are of its own time. */
export const setIPpayClock = async (sandbox: Pick<TestSandbox, 'url'>, now: Date): Promise<void> => {
  const body = JSON.stringify({ now: now.getTime() })
  await fetch(`${sandbox.url}/ippay/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** The sandbox's IPpay as the adapter reaches it. */
export const testIPpay = (sandbox: TestSandbox, transcripts: string[] = [], terminalId = 'CONFORMANCE') => {
  const context = (now = new Date()): IPpayContext => ({
    settings: ippaySettings(terminalId),
    baseUrl: `${sandbox.url}/ippay`,
    http: createHttpClient({
      timeoutMs: 1_500,
      scrub: (text) => ippay.redact(text),
      record: (transcript) => void transcripts.push(transcript),
    }),
    now,
    cache: createProviderCache(() => now),
  })
  /** Enters a card or an account on the hosted page. @returns our reference of it */
  const enter = async (typed: Fields, kind: 'card' | 'bank' = 'card'): Promise<string> => {
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
  const store = async (typed: Fields, kind: 'card' | 'bank'): Promise<KnownMethod> => {
    const typedMethod = { kind: 'token', token: await enter(typed, kind) } as const
    const options = { client: { ip: '192.0.2.1', userAgent: 'a browser' }, returnUrl: '', id: '', customerId: 7 }
    const stored = await ippay.storing.store(
      context(),
      '',
      { type: kind === 'card' ? 'card' : 'eCheck', typedMethod, holder: 'Ada Payer' },
      options,
    )
    if (stored.state !== 'succeeded') throw new Error(`the method was not stored: ${JSON.stringify(stored)}`)
    const { token, details } = stored.method
    return { token, kind, details, providerCustomerId: null }
  }
  return {
    context,
    enter,
    storeCard: () => store(TYPED_CARD, 'card'),
    storeAccount: () => store(TYPED_ACCOUNT, 'bank'),
    post: async (path: string, body: object): Promise<Response> =>
      fetch(sandbox.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }
}

/** An order as the engine makes it. */
export const ippayOrder = (change: Partial<ChargeOrder> = {}): ChargeOrder => ({
  merchantReference: createReference(ippay.reference, ''),
  amount: { minor: 11_000n, currency: 'USD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1'],
  legalName: 'Prairie IP, Inc.',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: 'http://localhost:3000/payment-result',
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  ...change,
})
