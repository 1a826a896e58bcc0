import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'

const Words = nullable(Type.String())
const MethodId = Type.String({ minLength: 1, maxLength: 64 })
const ById = Type.Object({ id: MethodId })
const Line = Type.Optional(nullable(Type.String({ maxLength: 200 })))
const AccountType = Type.Union([Type.Literal('checking'), Type.Literal('savings')])

const Address = Type.Object({ line1: Words, line2: Words, city: Words, postalCode: Words, state: Words, country: Words })

/** A stored card at Authorize.net. */
export const AuthorizeCard = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  sourceType: Type.Optional(Type.Union([Type.Literal('CC'), Type.Literal('ACH')])),
  address: Type.Optional(Type.Partial(Address)),
  authorizeCard: Type.Optional(Type.Object({ brand: Words, last4: Words })),
  legalName: Type.Optional(nullable(Type.String(), 'The company of the billing address')),
})
export type AuthorizeCard = Static<typeof AuthorizeCard>

/** A stored bank account at Authorize.net; its numbers are masked but for the last four digits. */
export const AuthorizeAccount = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  type: Type.String({ description: 'What a payment by it is sent as: eCheck' }),
  status: Type.Union([Type.Literal('ready'), Type.Literal('pending')]),
  routingNumber: Type.Optional(Words),
  accountNumber: Type.Optional(Words),
  lastFour: Type.Optional(Words),
  nameOnAccount: Type.Optional(Words),
  bankName: Type.Optional(Words),
  accountType: Type.Optional(Words),
  billingDetails: Type.Object({ name: Type.Optional(Words) }),
})
export type AuthorizeAccount = Static<typeof AuthorizeAccount>

const AccountFields = {
  routingNumber: Type.String({ minLength: 1, maxLength: 64, description: 'Blanks and dashes are left out, here and in the next' }),
  accountNumber: Type.String({ minLength: 1, maxLength: 64 }),
  nameOnAccount: Type.String({ minLength: 1, maxLength: 22 }),
  bankName: Type.String({ minLength: 1, maxLength: 50 }),
  accountType: AccountType,
}

export const authorizeMethods = {
  authorizeCards: endpoint({
    method: 'GET',
    path: '/v1/ec/autorize/cards',
    access: 'customer',
    summary: 'The stored cards, first added first',
    response: Type.Array(AuthorizeCard),
  }),
  addAuthorizeCard: endpoint({
    method: 'POST',
    path: '/v1/ec/autorize/cards',
    access: 'customer',
    summary: 'Stores a card: by its number where the reseller allows that, else by the opaque pair of Accept.js',
    body: Type.Object(
      {
        token: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024, description: 'dataDescriptor|dataValue' })),
        cardNumber: Type.Optional(Type.String({ maxLength: 40 })),
        expirationDate: Type.Optional(Type.String({ maxLength: 10, description: 'YYYY-MM' })),
        company: Line,
        address: Line,
        city: Line,
        state: Line,
        zip: Line,
        country: Line,
        addressCountry: Line,
      },
      { additionalProperties: false, description: 'Either token, or cardNumber and expirationDate; addressCountry goes before country' },
    ),
    response: Stored,
  }),
  removeAuthorizeCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/autorize/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card; the first one left becomes the default when the default is removed',
    params: ById,
    response: null,
  }),
  authorizeAccounts: endpoint({
    method: 'GET',
    path: '/v1/ec/autorize/ach',
    access: 'customer',
    summary: 'The stored bank accounts, first added first',
    response: Type.Array(AuthorizeAccount),
  }),
  addAuthorizeAccount: endpoint({
    method: 'POST',
    path: '/v1/ec/autorize/ach',
    access: 'customer',
    summary: 'Stores a bank account of the United States, whose holder has agreed to be debited',
    body: Type.Object(AccountFields, { additionalProperties: false }),
    response: Stored,
  }),
  updateAuthorizeAccount: endpoint({
    method: 'PUT',
    path: '/v1/ec/autorize/ach',
    access: 'customer',
    summary: 'Changes the name, the bank or the kind of a stored account; its numbers go back as they were listed',
    body: Type.Object({ id: MethodId, ...AccountFields }, { additionalProperties: false }),
    response: AuthorizeAccount,
  }),
  removeAuthorizeAccount: endpoint({
    method: 'DELETE',
    path: '/v1/ec/autorize/ach/{id}',
    access: 'customer',
    summary: 'Removes a stored bank account',
    params: ById,
    response: null,
  }),
  makeAuthorizeDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/autorize/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored card or bank account the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
}
