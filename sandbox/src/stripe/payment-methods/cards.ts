import { createHash } from 'node:crypto'
import type { Form } from '../api/form.ts'
import { stringParam, integerParam } from '../api/params.ts'
import type { CardDetails, MethodSecrets } from './payment-method.ts'
import { cardError, invalidRequest } from '../api/stripe-error.ts'
import { PRESET_CARDS, type TestCard, testCard } from './test-cards.ts'

interface NewCard {
  readonly shown: CardDetails
  readonly secrets: MethodSecrets
}

const RAW_NUMBER_MESSAGE =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.'

const LIVE_CARD_MESSAGE =
  'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.'

/**
 * A test card as it was typed or behind a `tok_…` name, not stored.
 * @throws StripeError when the card is not a valid test card, or its number comes from a server
 */
export const parseCard = (typed: Form, now: number, hasSecretKey: boolean): NewCard => {
  const token = stringParam(typed, 'token')
  if (token !== undefined) return presetCard(token.replace('tok_', 'pm_card_'), now) ?? throwNoToken(token)
  const number = (stringParam(typed, 'number') ?? '').replaceAll(/[\s-]/g, '')
  if (hasSecretKey) throw invalidRequest(RAW_NUMBER_MESSAGE, {}, 402)
  if (!isLuhn(number)) throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' })
  const card = testCard(number)
  if (card === undefined) throw cardError({ code: 'card_declined', decline_code: 'test_mode_live_card', message: LIVE_CARD_MESSAGE })
  const [month, year] = parseExpiry(typed, now)
  const cvc = stringParam(typed, 'cvc')
  if (cvc !== undefined && !(card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc))
    throw cardError({ code: 'invalid_cvc', message: "Your card's security code is invalid.", param: 'cvc' })
  return { shown: cardDetails(card, month, year, cvc !== undefined), secrets: { number } }
}

/** The card of a predefined method such as `pm_card_visa`; undefined for any other id. */
export const presetCard = (id: string, now: number): (NewCard & { readonly type: 'card' }) | undefined => {
  const card = testCard(PRESET_CARDS[id] ?? '')
  const nextYear = new Date(now * 1000).getUTCFullYear() + 1
  return card && { type: 'card', shown: cardDetails(card, 12, nextYear, false), secrets: { number: card.number } }
}

/** @throws StripeError for an unknown token */
const throwNoToken = (token: string): never => {
  throw invalidRequest(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' })
}

/** The month and the year of four digits of an expiry date. @throws StripeError when the card has expired or the date is not valid */
export const parseExpiry = (typed: Form, now: number): [number, number] => {
  const month = integerParam(typed, 'exp_month') ?? 0
  const typedYear = integerParam(typed, 'exp_year') ?? 0
  const year = typedYear < 100 ? 2000 + typedYear : typedYear
  const today = new Date(now * 1000)
  if (month < 1 || month > 12)
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50)
    throw cardError({ code: 'invalid_expiry_year', message: "Your card's expiration year is invalid.", param: 'exp_year' })
  if (year === today.getUTCFullYear() && month < today.getUTCMonth() + 1)
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  return [month, year]
}

/** A card as a payment method shows it, with the last four digits of its number. */
const cardDetails = (card: TestCard, month: number, year: number, hasCvc: boolean): CardDetails => ({
  brand: card.brand,
  checks: {
    address_line1_check: card.failedChecks.includes('address_line1_check') ? 'fail' : null,
    address_postal_code_check: card.failedChecks.includes('address_postal_code_check') ? 'fail' : null,
    cvc_check: card.failedChecks.includes('cvc_check') ? 'fail' : hasCvc ? 'pass' : null,
  },
  country: 'US',
  display_brand: card.brand,
  exp_month: month,
  exp_year: year,
  fingerprint: createHash('sha256').update(card.number).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 16),
  funding: card.funding,
  generated_from: null,
  last4: card.number.slice(-4),
  networks: { available: [card.brand], preferred: null },
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
})

/** Whether a number has 12 to 19 digits and a right check digit. */
const isLuhn = (number: string): boolean => {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
