import { type AuthorizeAccount, type AuthorizeCard, authorizeMethods } from '@counterfoil/contract/providers/authorize'
import type { RequestInput } from '@counterfoil/contract/kit/http/endpoint'
import { withoutSeparators } from '@counterfoil/contract/kit/payments/printed-number'
import { invalidInput } from '../../../kit/api-error.ts'
import { SealedText } from '../../../kit/sealed-text.ts'
import type { MethodChanges, MethodPaths } from '../method-paths.ts'
import { parseRawCard } from '../raw-card.rules.ts'
import type { MethodAddress, TypedMethod, MethodRow, NewMethod } from '../method.ts'
import { isRoutingNumber } from './authorize-methods.ts'
import { DEBIT_TYPE } from './authorize-profiles.ts'

/** The paths for cards and bank accounts at Authorize.net. */
export const authorizePaths: MethodPaths = {
  pathFamily: 'autorize',
  register: (route, methods) => {
    route(authorizeMethods.authorizeCards, async (request) => (await methods.list(request, 'card')).map((row) => toAuthorizeCard(row)))
    route(authorizeMethods.addAuthorizeCard, (request, { body }) => methods.store(request, parseAuthorizeCard(body, request.now)))
    route(authorizeMethods.removeAuthorizeCard, (request, { params }) => methods.remove(request, params.id, 'card'))
    route(authorizeMethods.authorizeAccounts, async (request) =>
      (await methods.list(request, 'bank')).map((row) => toAuthorizeAccount(row)),
    )
    route(authorizeMethods.addAuthorizeAccount, (request, { body }) => methods.store(request, parseAuthorizeAccount(body)))
    route(authorizeMethods.updateAuthorizeAccount, async (request, { body }) =>
      toAuthorizeAccount(await methods.update(request, { id: body.id, kind: 'bank', changes: parseAccountChanges(body) })),
    )
    route(authorizeMethods.removeAuthorizeAccount, (request, { params }) => methods.remove(request, params.id, 'bank'))
    route(authorizeMethods.makeAuthorizeDefault, (request, { body }) => methods.makeDefault(request, body.id))
  },
}

/** A stored card as the API shows it; what is not known is null. */
const toAuthorizeCard = ({ id, isDefault, details }: MethodRow): AuthorizeCard => ({
  id,
  isDefault,
  sourceType: 'CC',
  address: {
    line1: details.address?.line1 ?? null,
    line2: details.address?.line2 ?? null,
    city: details.address?.city ?? null,
    postalCode: details.address?.postalCode ?? null,
    state: details.address?.state ?? null,
    country: details.address?.country ?? null,
  },
  authorizeCard: { brand: details.brand ?? null, last4: details.last4 ?? null },
  legalName: details.legalName ?? null,
})

/** A stored bank account as the API shows it: of the account number the last four digits, behind XXXX. */
const toAuthorizeAccount = ({ id, isDefault, type, status, details }: MethodRow): AuthorizeAccount => ({
  id,
  isDefault,
  type,
  status,
  routingNumber: details.bankCode ?? null,
  accountNumber: details.last4 === undefined ? null : `XXXX${details.last4}`,
  lastFour: details.last4 ?? null,
  nameOnAccount: details.name ?? null,
  bankName: details.bankName ?? null,
  accountType: details.accountType ?? null,
  billingDetails: { name: details.name ?? null },
})

type CardBody = RequestInput<typeof authorizeMethods.addAuthorizeCard>['body']
type AccountBody = RequestInput<typeof authorizeMethods.addAuthorizeAccount>['body']

/**
 * Parses a card to store: the opaque pair of Accept.js, or the card as it was typed.
 * @throws ApiError 400 at the invalid field
 */
const parseAuthorizeCard = (body: CardBody, now: Date): NewMethod => {
  const legalName = body.company?.trim() ?? ''
  return { type: 'card', typedMethod: parseTypedMethod(body, now), ...(legalName === '' ? {} : { legalName }), ...parseAddress(body) }
}

/**
 * The token of Accept.js, or the card typed in the clear without its security code.
 * @throws ApiError 400 at an invalid field, or when both are sent
 */
const parseTypedMethod = ({ token, cardNumber, expirationDate }: CardBody, now: Date): TypedMethod => {
  if (token === undefined)
    return { kind: 'card', card: parseRawCard({ cardNumber: cardNumber ?? '', expirationDate: expirationDate ?? '' }, now, false) }
  if (cardNumber !== undefined || expirationDate !== undefined)
    throw invalidInput('body.cardNumber', 'Send the token of the card, not its number or code.')
  return { kind: 'token', token }
}

/** The filled lines of a card's address; no address when all are blank. `addressCountry` goes before `country`. */
const parseAddress = ({ address, city, state, zip, country, addressCountry }: CardBody): { address?: MethodAddress } => {
  const lines = { line1: address, city, state, postalCode: zip, country: addressCountry || country }
  const filled = Object.entries(lines).flatMap(([name, line]) => ((line ?? '').trim() === '' ? [] : [[name, line?.trim()] as const]))
  return filled.length === 0 ? {} : { address: Object.fromEntries(filled) }
}

/**
 * Parses a bank account to store.
 * @throws ApiError 400 at the invalid field
 */
const parseAuthorizeAccount = ({ routingNumber, accountNumber, nameOnAccount, bankName, accountType }: AccountBody): NewMethod => {
  const [bankCode, number] = [withoutSeparators(routingNumber), withoutSeparators(accountNumber)]
  if (!isRoutingNumber(bankCode)) throw invalidInput('body.routingNumber', 'This is not a routing number. Please check it.')
  if (!/^\d{5,17}$/.test(number)) throw invalidInput('body.accountNumber', 'An account number has 5 to 17 digits.')
  const { name, bankName: bank } = parseNames({ nameOnAccount, bankName })
  return {
    type: DEBIT_TYPE,
    holder: name,
    typedMethod: { kind: 'bank', account: { number: new SealedText(number), bankCode, bankName: bank, accountType } },
  }
}

/**
 * The names on a bank account without blanks around them.
 * @throws ApiError 400 where one is blank
 */
const parseNames = ({ nameOnAccount, bankName }: Pick<AccountBody, 'nameOnAccount' | 'bankName'>) => {
  if (nameOnAccount.trim() === '') throw invalidInput('body.nameOnAccount', 'Enter the name on the account.')
  if (bankName.trim() === '') throw invalidInput('body.bankName', 'Enter the name of the bank.')
  return { name: nameOnAccount.trim(), bankName: bankName.trim() }
}

/** A number as the lists show it. */
const MASKED = /^X{4}\d{4}$/

/**
 * Parses the changes of a bank account: its names and type. Its numbers stay, and must come masked as the list shows them.
 * @throws ApiError 400 at the invalid field
 */
const parseAccountChanges = ({ routingNumber, accountNumber, accountType, ...names }: AccountBody): MethodChanges => {
  const text = 'The numbers of an account cannot be changed. Add the account with its new number, and remove this one.'
  if (!MASKED.test(routingNumber)) throw invalidInput('body.routingNumber', text)
  if (!MASKED.test(accountNumber)) throw invalidInput('body.accountNumber', text)
  return { ...parseNames(names), accountType }
}
