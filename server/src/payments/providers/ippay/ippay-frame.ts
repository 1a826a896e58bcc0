import { createHash } from 'node:crypto'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { ProviderPage } from '../entry.ts'
import type { FrameRequest, FrameReturn } from '../frames.ts'
import type { IPpayContext } from './ippay-client.ts'

// What IPpay says of its hosted page is not public. This file follows the page of its ancestor (JetPay's JetDirect), and is the only one
// that knows of it.

const HOSTED_URLS: Readonly<Record<string, string>> = {
  'gtwy.ippay.com': 'https://hostedpage.ippay.com/',
  'testgtwy.ippay.com': 'https://staging.ippay.com/ippaygateway/PaymentProcess.aspx',
}

/** A page that pays needs the frame of the hosted page alone. */
export const PAGE: ProviderPage = {
  liveOrigins: { script: [], frame: ['https://hostedpage.ippay.com', 'https://staging.ippay.com'], connect: [] },
}

/**
 * The address of IPpay's hosted page, which makes a token under our TransactionID and charges nothing. All that the page obeys is in the
 * query, and all of it but the terminal id is covered by a SHA-512 of these values and the merchant's secret.
 */
export const frameUrl = ({ settings, baseUrl }: Pick<IPpayContext, 'settings' | 'baseUrl'>, frame: FrameRequest): string => {
  const amount = frame.amount === null ? '0.00' : toDecimalText(frame.amount)
  const [transType, payType] = ['TOKENIZE', frame.kind === 'card' ? 'CC' : 'ACH']
  const [fields, required] = [frame.fields.join(','), frame.requiredFields.join(',')]
  const { reference, orderNumber, buttonText, returnUrl } = frame
  const signed = [reference, amount, settings.hostedSecret, orderNumber, transType, payType, fields, required, buttonText, returnUrl].join(
    '',
  )
  const url = new URL(HOSTED_URLS[new URL(baseUrl).host] ?? `${baseUrl}/hosted/`)
  url.search = new URLSearchParams({
    cid: settings.terminalId,
    jp_tid: reference,
    order_number: orderNumber,
    amount,
    trans_type: transType,
    pay_type: payType,
    fields,
    required,
    button: buttonText,
    retUrl: returnUrl,
    jp_request_hash: createHash('sha512').update(signed).digest('hex'),
  }).toString()
  return url.href
}

/** The codes of an entry that is accepted: the second is stored although a fraud screen has remarked on it. */
const ACCEPTED: ReadonlySet<string> = new Set(['000', 'AFS-103'])

/**
 * Reads the form that the hosted page posts, which nothing signs. Fields of a wrong form are left out; a code that is not an accepted one
 * gives a failure.
 */
export const parseFrameReturn = (fields: Readonly<Record<string, string>>): FrameReturn => {
  const text = (name: string): string | undefined => {
    const value = fields[name]?.trim() ?? ''
    return value === '' ? undefined : value
  }
  const code = text('ActionCode') ?? ''
  const [expMonth, expYear] = [Number(text('CardExpMonth') ?? 0), Number(text('CardExpYear') ?? -1)]
  const hasExpiry = expMonth >= 1 && expMonth <= 12 && expYear >= 0 && expYear <= 99
  const bankCode = /^\d{9}$/.exec(text('ABA') ?? '')?.[0]
  const address = {
    address: text('BillingAddress'),
    city: text('BillingCity'),
    state: text('BillingStateProv'),
    zip: text('BillingPostalCode'),
    country: text('BillingCountry'),
  }
  const filled = Object.entries(address).filter(([, value]) => value !== undefined)
  const [cardHolder, email] = [text('CardName'), text('Email')]
  return {
    code,
    failure: ACCEPTED.has(code) ? null : toFailure(code, text('ResponseText')),
    details: {
      ...(hasExpiry ? { expMonth, expYear: 2000 + expYear } : {}),
      ...(bankCode === undefined ? {} : { bankCode }),
    },
    ...(cardHolder === undefined ? {} : { cardHolder }),
    ...(email === undefined ? {} : { email }),
    ...(filled.length === 0 ? {} : { billingAddress: Object.fromEntries(filled) }),
  }
}

/** The words and the code of a failed entry, as text to show, such as DECLINED (005). */
const toFailure = (code: string, responseText = 'DECLINED'): string => {
  const [words, known] = [responseText.replaceAll(/[^A-Za-z ]/g, '').slice(0, 40), /^[A-Z\d-]{1,10}$/.exec(code)?.[0]]
  return known === undefined ? words : `${words} (${known})`
}
