import { createHash } from 'node:crypto'
import type { Form } from '../../api/form.ts'
import { text, whole } from '../../api/params.ts'
import type { CardFace, MethodSecrets } from './payment-method.ts'
import { cardError, invalid } from '../../api/stripe-error.ts'
import { READY_CARDS, type TestCard, testCard } from './test-cards.ts'

interface NewCard {
  readonly shown: CardFace
  readonly secrets: MethodSecrets
}

const RAW_NUMBER =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.'

const NOT_A_TEST_CARD =
  'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.'

/** A card as it was typed, in a page's frame. */
export const newCard = (typed: Form, now: number, secret: boolean): NewCard => {
  const token = text(typed, 'token')
  if (token !== undefined) return readyCard(token.replace('tok_', 'pm_card_'), now) ?? noToken(token)
  const number = (text(typed, 'number') ?? '').replaceAll(/[\s-]/g, '')
  if (secret) throw invalid(RAW_NUMBER, {}, 402)
  if (!isLuhn(number)) throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' })
  const card = testCard(number)
  if (card === undefined) throw cardError({ code: 'card_declined', decline_code: 'test_mode_live_card', message: NOT_A_TEST_CARD })
  const [month, year] = expiry(typed, now)
  const cvc = text(typed, 'cvc')
  if (cvc !== undefined && !(card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc))
    throw cardError({ code: 'invalid_cvc', message: "Your card's security code is invalid.", param: 'cvc' })
  return { shown: faceOf(card, month, year, cvc !== undefined), secrets: { number } }
}

/** The card behind `pm_card_…`; undefined when there is none of that name. */
export const readyCard = (id: string, now: number): (NewCard & { readonly type: 'card' }) | undefined => {
  const card = testCard(READY_CARDS[id] ?? '')
  const nextYear = new Date(now * 1000).getUTCFullYear() + 1
  return card && { type: 'card', shown: faceOf(card, 12, nextYear, false), secrets: { number: card.number } }
}

const noToken = (token: string): never => {
  throw invalid(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' })
}

/** The month and year of a card that is good this month. */
export const expiry = (typed: Form, now: number): [number, number] => {
  const month = whole(typed, 'exp_month') ?? 0
  const short = whole(typed, 'exp_year') ?? 0
  const year = short < 100 ? 2000 + short : short
  const today = new Date(now * 1000)
  if (month < 1 || month > 12)
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50)
    throw cardError({ code: 'invalid_expiry_year', message: "Your card's expiration year is invalid.", param: 'exp_year' })
  if (year === today.getUTCFullYear() && month < today.getUTCMonth() + 1)
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  return [month, year]
}

const faceOf = (card: TestCard, month: number, year: number, withCvc: boolean): CardFace => ({
  brand: card.brand,
  checks: {
    address_line1_check: card.failedChecks.includes('address_line1_check') ? 'fail' : null,
    address_postal_code_check: card.failedChecks.includes('address_postal_code_check') ? 'fail' : null,
    cvc_check: card.failedChecks.includes('cvc_check') ? 'fail' : withCvc ? 'pass' : null,
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

const isLuhn = (number: string): boolean => {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
