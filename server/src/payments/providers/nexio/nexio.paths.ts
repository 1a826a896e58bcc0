import type { RequestInput } from '@counterfoil/contract/kit/http/endpoint'
import { withoutSeparators } from '@counterfoil/contract/kit/payments/printed-number'
import { type NexioAccount, type NexioCard, nexioMethods } from '@counterfoil/contract/providers/nexio'
import { invalidInput } from '../../../kit/api-error.ts'
import type { MethodChanges, MethodPaths } from '../method-paths.ts'
import { parseExpiryOf, parseSealedCard } from '../raw-card.rules.ts'
import type { TypedMethod, MethodRow, NewMethod } from '../method.ts'
import { ECHECK } from './nexio-codec.ts'
import { parseReceiptEmail } from '../payer-email.rules.ts'

/** The paths for cards and bank accounts in Nexio's vault. */
export const nexioPaths: MethodPaths = {
  pathFamily: 'nexio',
  register: (route, methods) => {
    route(nexioMethods.nexioCards, async (request) => (await methods.list(request, 'card')).map((row) => toNexioCard(row)))
    route(nexioMethods.addNexioCard, (request, { body }) => methods.store(request, parseCard(body, request.now)))
    route(nexioMethods.updateNexioCard, async (request, { body }) =>
      toNexioCard(await methods.update(request, { id: body.id, kind: 'card', changes: parseChanges(body, request.now) })),
    )
    route(nexioMethods.removeNexioCard, (request, { params }) => methods.remove(request, params.id, 'card'))
    route(nexioMethods.makeNexioDefault, (request, { body }) => methods.makeDefault(request, body.id))
    route(nexioMethods.nexioAccounts, async (request) => (await methods.list(request, 'bank')).map((row) => toNexioAccount(row)))
    route(nexioMethods.addNexioAccount, (request, { body }) => methods.store(request, parseAccount(body)))
    route(nexioMethods.removeNexioAccount, (request, { params }) => methods.remove(request, params.id, 'bank'))
  },
}

/** A stored card as the API shows it; what is not known is null. */
const toNexioCard = ({ id, isDefault, details }: MethodRow): NexioCard => ({
  id,
  isDefault,
  nexioCard: {
    cardType: details.brand ?? null,
    lastFour: details.last4 ?? null,
    expirationMonth: details.expMonth ?? null,
    expirationYear: details.expYear ?? null,
    cardHolderName: details.name ?? null,
    customer: {
      payerFirstName: details.payerFirstName ?? null,
      payerLastName: details.payerLastName ?? null,
      billingAddress: details.address?.line1 ?? null,
      billingAddress2: details.address?.line2 ?? null,
      billingPhone: details.phone ?? null,
      shippingAddress: details.shippingAddress ?? null,
      shippingPhone: details.shippingPhone ?? null,
      country: details.address?.country ?? null,
      state: details.address?.state ?? null,
      zip: details.address?.postalCode ?? null,
      email: details.email ?? null,
    },
  },
})

/** A stored bank account as the API shows it; what is not known is null. Its status is always ready. */
const toNexioAccount = ({ id, isDefault, type, details }: MethodRow): NexioAccount => ({
  id,
  isDefault,
  type,
  accountHolderName: details.name ?? null,
  routingNumber: details.bankCode ?? null,
  lastFour: details.last4 ?? null,
  accountEmail: details.email ?? null,
  accountAddress: details.address?.line1 ?? null,
  status: 'ready',
  billingDetails: { name: details.name ?? null, email: details.email ?? null },
})

type CardBody = RequestInput<typeof nexioMethods.addNexioCard>['body']
type CustomerBody = NonNullable<CardBody['customer']>

/** What every card that is stored needs, beside its number (PM-80). */
const REQUIRED = ['payerFirstName', 'payerLastName', 'shippingAddress'] as const

/**
 * Parses a card to store: a token of Nexio's own frame, or the card with its encrypted number.
 * @throws ApiError 400 at the first field that is missing or wrong
 */
const parseCard = (body: CardBody, now: Date): NewMethod => {
  const holder = textOf(body.cardHolderName)
  const customer = body.customer ?? {}
  if (holder === '' && body.token === undefined) throw invalidInput('body.cardHolderName', 'Enter the name on the card.')
  for (const field of REQUIRED)
    if (textOf(customer[field]) === '') throw invalidInput(`body.customer.${field}`, 'Enter the payer’s name and the shipping address.')
  return {
    type: 'card',
    typedMethod: body.token === undefined ? parseSealed(body, now) : { kind: 'token', token: body.token },
    ...(holder === '' ? {} : { holder }),
    ...parseCustomer(customer),
  }
}

/**
 * The encrypted card of a request. First and last digits of another form than Nexio's are left out.
 * @throws ApiError 400 at the invalid field
 */
const parseSealed = (body: CardBody, now: Date): TypedMethod => {
  const { encryptedNumber = '', firstSix, lastFour, cardType, cvv } = body
  const card = parseSealedCard({ cardNumber: encryptedNumber, expirationDate: expiryText(body), cardCode: String(cvv ?? '') }, now)
  return {
    kind: 'sealed',
    sealed: {
      ...card,
      ...(firstSix && /^\d{6}$/.test(firstSix) ? { firstSix } : {}),
      ...(lastFour && /^\d{4}$/.test(lastFour) ? { last4: lastFour } : {}),
      ...(cardType ? { brand: cardType.toLowerCase() } : {}),
    },
  }
}

/** The expiry as YYYY-MM; a year of two digits is one of this century. Nothing is checked. */
const expiryText = ({ expirationMonth = '', expirationYear = '' }: Pick<CardBody, 'expirationMonth' | 'expirationYear'>): string => {
  const year = String(expirationYear)
  return `${year.length === 2 ? `20${year}` : year}-${String(expirationMonth).padStart(2, '0')}`
}

/** A text without blanks around it; empty for none. */
const textOf = (text: string | null | undefined): string => text?.trim() ?? ''

type CustomerDetails = Pick<
  NewMethod,
  'payerFirstName' | 'payerLastName' | 'email' | 'phone' | 'address' | 'shippingAddress' | 'shippingPhone'
>

/**
 * What is given of the payer, without blanks around it. Blank texts are left out, also the lines of the address.
 * @throws ApiError 400 for an email address that is not valid
 */
const parseCustomer = (customer: CustomerBody): CustomerDetails => {
  const { billingAddress, billingAddress2, billingPhone, country, state, zip, email, ...rest } = customer
  parseReceiptEmail(textOf(email))
  const lines = { line1: billingAddress, line2: billingAddress2, state, postalCode: zip, country }
  const address = Object.fromEntries(Object.entries(lines).flatMap(([name, line]) => (textOf(line) === '' ? [] : [[name, textOf(line)]])))
  const fields = Object.entries({ ...rest, email, phone: billingPhone }).flatMap(([name, text]) =>
    textOf(text) === '' ? [] : [[name, textOf(text)]],
  )
  return { ...Object.fromEntries(fields), ...(Object.keys(address).length === 0 ? {} : { address }) }
}

type ChangeBody = RequestInput<typeof nexioMethods.updateNexioCard>['body']

/**
 * What changes of a card; an expiry alone when the request has one.
 * @throws ApiError 400 for an expiry or an email address that is not valid
 */
const parseChanges = (body: ChangeBody, now: Date): MethodChanges => {
  const hasExpiry = body.expirationMonth !== undefined || body.expirationYear !== undefined
  const name = textOf(body.cardHolderName)
  return {
    ...(hasExpiry ? parseExpiryOf({ expirationDate: expiryText(body) }, now) : {}),
    ...(name === '' ? {} : { name }),
    ...parseCustomer(body.customer ?? {}),
  }
}

type AccountBody = RequestInput<typeof nexioMethods.addNexioAccount>['body']

/**
 * Parses a bank account to store: its number is encrypted, and only the form of Base64 is checked.
 * @throws ApiError 400 at the invalid field
 */
const parseAccount = (body: AccountBody): NewMethod => {
  const [routingNumber, holder] = [withoutSeparators(body.routingNumber), body.accountHolderName.trim()]
  const [email, line1, last4] = [parseReceiptEmail(textOf(body.email)), textOf(body.billingAddress), withoutSeparators(body.lastFour ?? '')]
  if (!/^\d{9}$/.test(routingNumber)) throw invalidInput('body.routingNumber', 'A routing number has nine digits.')
  if (holder === '') throw invalidInput('body.accountHolderName', 'Enter the name of the account holder.')
  if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(body.encryptedBankAccountNumber))
    throw invalidInput('body.encryptedBankAccountNumber', 'The number of the account was not encrypted. Please reload the page.')
  return {
    type: ECHECK,
    typedMethod: {
      kind: 'sealed',
      sealed: {
        encryptedNumber: body.encryptedBankAccountNumber,
        bankCode: routingNumber,
        ...(/^\d{4}$/.test(last4) ? { last4 } : {}),
      },
    },
    holder,
    ...(email === null ? {} : { email }),
    ...(line1 === '' ? {} : { address: { line1 } }),
  }
}
