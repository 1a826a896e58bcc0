import { type MonerisCard, monerisMethods } from '@counterfoil/contract/providers/moneris'
import type { RequestInput } from '@counterfoil/contract/kit/http/endpoint'
import { ApiError, invalidInput } from '../../../kit/api-error.ts'
import type { MethodPaths } from '../method-paths.ts'
import { parseRawCard } from '../raw-card.rules.ts'
import type { TypedMethod, MethodRow, NewMethod } from '../method.ts'
import { isTemporaryToken } from './moneris-charges.ts'
import { parseReceiptEmail } from '../payer-email.rules.ts'

/** The paths for the cards of Moneris' vault. */
export const monerisPaths: MethodPaths = {
  pathFamily: 'moneris',
  register: (route, methods) => {
    route(monerisMethods.monerisCards, async (request) => (await methods.list(request, 'card')).map((row) => toMonerisCard(row)))
    route(monerisMethods.addMonerisCard, (request, { body }) => methods.store(request, parseMonerisCard(body, request.now)))
    route(monerisMethods.removeMonerisCard, (request, { params }) => methods.remove(request, params.id, 'card'))
    route(monerisMethods.makeMonerisDefault, (request, { body }) => methods.makeDefault(request, body.id))
  },
}

/** A stored card in the form of the API; of its number the last four digits are known. */
const toMonerisCard = ({ id, isDefault, details }: MethodRow): MonerisCard => ({
  id,
  isDefault,
  monerisCard: {
    cardNumber: details.last4 === undefined ? null : `***${details.last4}`,
    brand: details.brand ?? null,
    month: details.expMonth ?? null,
    year: details.expYear ?? null,
    phone: details.phone ?? null,
    email: details.email ?? null,
  },
})

type CardBody = RequestInput<typeof monerisMethods.addMonerisCard>['body']

/**
 * Parses a card to store: a token of Moneris' own fields, or the card as it was typed.
 * @throws ApiError 400 at the invalid field
 */
const parseMonerisCard = (body: CardBody, now: Date): NewMethod => {
  const [phone, email] = [body.phone?.trim() ?? '', parseReceiptEmail(body.email?.trim())]
  return {
    type: 'card',
    typedMethod: body.token === undefined ? parseCardNumber(body, now) : parseToken(body, body.token),
    ...(phone === '' ? {} : { phone }),
    ...(email === null ? {} : { email }),
  }
}

const CARD_FIELDS = ['cardNumber', 'cvdValue', 'expMonth', 'expYear'] as const

/**
 * A temporary token of Moneris' own fields.
 * @throws ApiError 400 for any other token, or a request that has card fields beside it
 */
const parseToken = (body: CardBody, token: string): TypedMethod => {
  for (const field of CARD_FIELDS)
    if (body[field] !== undefined) throw invalidInput(`body.${field}`, 'Send the token of the card, not its number or code.')
  if (!isTemporaryToken(token)) throw invalidInput('body.token', 'This card cannot be stored. Please enter it again.')
  return { kind: 'token', token }
}

/** The fields of the shared parser, as they are named here. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  'body.expirationDate': 'body.expMonth',
  'body.cardCode': 'body.cvdValue',
  'body.cvc': 'body.cvdValue',
}

/**
 * A card typed in the clear, with its security code.
 * @throws ApiError 400 at the invalid field, as the request names it
 */
const parseCardNumber = ({ cardNumber, cvdValue, expMonth = '', expYear = '' }: CardBody, now: Date): TypedMethod => {
  const [month, year] = [String(expMonth).padStart(2, '0'), String(expYear)]
  const form = {
    cardNumber: cardNumber ?? '',
    cardCode: cvdValue ?? '',
    expirationDate: `${year.length === 2 ? `20${year}` : year}-${month}`,
  }
  try {
    return { kind: 'card', card: parseRawCard(form, now) }
  } catch (error) {
    const [wrong] = error instanceof ApiError ? (error.options.errors ?? []) : []
    throw wrong === undefined ? error : invalidInput(FIELD_NAMES[wrong.path] ?? wrong.path, wrong.message)
  }
}
