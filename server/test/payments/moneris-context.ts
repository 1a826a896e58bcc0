import type { HttpClient } from '../../src/kit/outgoing-http.ts'
import { SealedText } from '../../src/kit/sealed-text.ts'
import { createProviderCache } from '../../src/payments/accounts/provider-cache.ts'
import type { NewCard, RawCard } from '../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../src/payments/providers/order.ts'

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

export const MONERIS_ORDER: ChargeOrder = {
  merchantReference: 'ABCDEFGHJK2345678923',
  amount: { minor: 11_000n, currency: 'CAD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1'],
  legalName: 'Maple Cellular Inc.',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: 'http://localhost:3000/payment-result',
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
}

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

/** A receipt, another answer, or what is thrown without one. */
export type MonerisAnswer = string | { readonly status: number; readonly text: string } | Error

/** A context in which Moneris gives these answers in turn, and the bodies that it got. */
export const contextAnswering = (...answers: readonly MonerisAnswer[]) => {
  const sent: string[] = []
  const http: HttpClient = {
    send: async ({ body = '' }) => {
      const answer = answers[sent.push(body) - 1] ?? { status: 500, text: '' }
      if (answer instanceof Error) throw answer
      return typeof answer === 'string' ? { status: 200, headers: {}, text: answer } : { ...answer, headers: {} }
    },
  }
  const now = new Date('2026-11-21T18:00:00Z')
  return {
    sent,
    context: { settings: MONERIS_SETTINGS, baseUrl: 'https://mpg1.moneris.io', http, now, cache: createProviderCache(() => now) },
  }
}
