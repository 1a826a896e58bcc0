import type { XmlElement } from '../api/xml.ts'
import { GatewayError, tokenize } from '../payments/requests.ts'
import { DECLINED_CARD, isAba, isAccountNumber, isCardNumber, isExpiry, SCREENED_CARD } from '../payments/test-values.ts'
import { findByTransactionId, isApproved, type Transaction } from '../payments/transaction.ts'
import type { IPpaySession } from '../store/ippay-session.ts'
import { type FieldErrors, fieldsOf, type Typed } from './form-page.ts'
import type { PageRequest } from './page-request.ts'

/** The text without spaces and dashes. */
const digitsOf = (text = ''): string => text.replaceAll(/[\s\p{Dash_Punctuation}]/gu, '')

/**
 * The typed expiry date as two digits each: "1/30", "0130", "01 / 2030" and "2030-01" are January 2030. Any other text has an empty year.
 */
const expiryOf = (text = ''): { month: string; year: string } => {
  const typed = text.trim()
  const [, lastYear, firstMonth] = /^20(\d{2})-(\d{1,2})$/.exec(typed) ?? []
  const [, month = '', year = ''] = /^(\d{2}|\d(?=\s*\/))\s*\/?\s*(?:20)?(\d{2})$/.exec(typed) ?? []
  return { month: (firstMonth ?? month).padStart(2, '0'), year: lastYear ?? year }
}

const RULES: Readonly<Record<string, readonly [(text: string) => boolean, string]>> = {
  CardNum: [(text) => isCardNumber(digitsOf(text)), 'This is not the number of a card.'],
  Expiry: [(text) => isExpiry(expiryOf(text)), 'Write the month and the year as on the card.'],
  CVV2: [(text) => /^\d{3,4}$/.test(text.trim()), 'The security code has three or four digits.'],
  ABA: [(text) => isAba(digitsOf(text)), 'This is not a routing number.'],
  AccountNumber: [(text) => isAccountNumber(digitsOf(text)), 'An account number has 4 to 17 digits.'],
  Email: [(text) => /^\S+@\S+\.\S+$/.test(text.trim()), 'Enter an email address.'],
}

/** The error messages for what was typed, by field; empty when nothing is wrong. */
export const findErrors = (request: PageRequest, typed: Typed): FieldErrors =>
  Object.fromEntries(
    fieldsOf(request).flatMap(({ name, label, isRequired }) => {
      const text = typed[name]?.trim() ?? ''
      const [isValid, message] = RULES[name] ?? [() => true, '']
      if (text === '') return isRequired ? [[name, `${label} is missing.`]] : []
      return isValid(text) ? [] : [[name, message]]
    }),
  )

/** A request of the gateway as if it was parsed from XML, with these texts. */
const elementOf = (fields: Readonly<Record<string, string>>): XmlElement => ({
  name: 'ippay',
  text: '',
  attributes: {},
  children: Object.entries(fields).map(([name, text]) => ({ name, text, attributes: {}, children: [] })),
})

/**
 * Runs TOKENIZE under the merchant's TransactionID, once: sent again, the form gets the first outcome.
 * @returns the fields that the form posts to the merchant's address, unsigned: the outcome, the token, and what was typed beside the number
 */
export const submitForm = (session: IPpaySession, request: PageRequest, typed: Typed, isDeclined: boolean): Record<string, string> => {
  const transactionId = request.jp_tid.toUpperCase()
  const number = digitsOf(typed['CardNum'])
  const expiry = expiryOf(typed['Expiry'])
  const fields =
    request.pay_type === 'CC'
      ? { CardNum: number, CardExpMonth: expiry.month, CardExpYear: expiry.year }
      : { AccountNumber: digitsOf(typed['AccountNumber']), ABA: digitsOf(typed['ABA']) }
  try {
    const earlier = findByTransactionId(session, transactionId)
    const call = { session, element: elementOf(fields), transactionId, isDeclined: isDeclined || number === DECLINED_CARD }
    return toReturn(request, typed, earlier ?? tokenize(call), number === SCREENED_CARD)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { jp_tid: request.jp_tid, ActionCode: error.actionCode, ResponseText: error.message }
  }
}

/** The fields that the form posts to the merchant's address; without a token unless approved. A screened card has the code AFS-103. */
const toReturn = (request: PageRequest, typed: Typed, made: Transaction, isScreened: boolean): Record<string, string> => {
  const approved = isApproved(made)
  const typedNames = ['CardName', 'Email', 'BillingAddress', 'BillingCity', 'BillingStateProv', 'BillingPostalCode', 'BillingCountry']
  return {
    jp_tid: request.jp_tid,
    order_number: request.order_number,
    ActionCode: approved && isScreened ? 'AFS-103' : made.actionCode,
    ResponseText: made.text ?? '',
    ...(approved ? { Token: made.token ?? '' } : {}),
    ...(approved && made.month !== null ? { CardExpMonth: made.month, CardExpYear: made.year ?? '' } : {}),
    ...(request.pay_type === 'ACH' ? { ABA: digitsOf(typed['ABA']) } : {}),
    ...Object.fromEntries(typedNames.flatMap((name) => ((typed[name] ?? '').trim() === '' ? [] : [[name, (typed[name] ?? '').trim()]]))),
  }
}
