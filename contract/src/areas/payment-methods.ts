import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

const Words = nullable(Type.String({ maxLength: 500 }))
const Some = Type.Optional(Words)
const Whole = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 9_999 })))

const Address = Type.Object(
  { line1: Some, line2: Some, city: Some, postalCode: Some, state: Some, country: Some },
  { additionalProperties: false, description: 'Null where nothing was given' },
)

const BillingDetails = Type.Object(
  { name: Some, email: Some, phone: Some, address: Type.Optional(Address) },
  { additionalProperties: false },
)

/** The schema of an object that may be missing and takes no other fields. */
const part = <P extends Parameters<typeof Type.Object>[0]>(fields: P) => Type.Optional(Type.Object(fields, { additionalProperties: false }))

const CardParts = {
  sourceType: Type.Optional(Type.Union([Type.Literal('CC'), Type.Literal('ACH')])),
  address: Type.Optional(Address),
  stripeCard: part({ brand: Some, last4: Some, expMonth: Whole, year: Whole, name: Some }),
  pinchCard: part({ brand: Some, last4: Some, expMonth: Whole, expYear: Whole, cardHolderName: Some }),
}

/** A stored card in the list; only the part of the reseller's own provider is present. */
export const Card = Type.Object({ id: Type.String(), isDefault: Type.Boolean(), ...CardParts })
export type Card = Static<typeof Card>

/** A stored bank account in the list; only the part of its own kind is present. */
export const BankMethod = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  type: Type.String({ description: 'What a payment by it is sent as: au_becs_debit, us_bank_account, bacs_debit or sepa_debit' }),
  status: Type.Union([Type.Literal('ready'), Type.Literal('pending')], {
    description: 'pending: its owner has not confirmed it yet, so it cannot be charged',
  }),
  aubecsDebit: part({ bsbNumber: Some, last4: Some }),
  bacsDebit: part({ sort_code: Some, last4: Some }),
  sepaDebit: part({ bank_code: Some, last4: Some, country: Some }),
  usbankAccount: part({ routing_number: Some, last4: Some, bank_name: Some }),
  billingDetails: BillingDetails,
})
export type BankMethod = Static<typeof BankMethod>

/** The outcome of storing a method. */
export const Stored = Type.Object({
  status: Type.Union([Type.Literal('succeeded'), Type.Literal('requires_action'), Type.Literal('processing')]),
  redirectToUrl: nullable(Type.String(), 'Where the browser goes when status is requires_action'),
  id: nullable(Type.String(), 'The stored method, when status is succeeded'),
})
export type Stored = Static<typeof Stored>

const MethodId = Type.String({ minLength: 1, maxLength: 64 })
const ById = Type.Object({ id: MethodId })
/** Needed where the provider needs to know who stores a method. */
const Holder = Type.Optional(Type.String({ maxLength: 200 }))
const Email = Type.Optional(Type.String({ maxLength: 254 }))
/** Clients may send a listed card as a whole; its other fields are ignored. */
const Ignored = {
  default: Type.Optional(Type.Boolean()),
  isDefault: Type.Optional(Type.Boolean()),
  paymentSourceId: Type.Optional(MethodId),
}

export const paymentMethods = {
  cards: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/cards',
    access: 'customer',
    summary: 'The stored cards, first added first; none for a reseller without payments',
    response: Type.Array(Card),
  }),
  addCard: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/cards',
    access: 'customer',
    summary: 'Stores the card that a token of the provider stands for; a first method becomes the default',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 255 }),
        cardholder: Holder,
        email: Email,
        ...CardParts,
        ...Ignored,
        id: Type.Optional(MethodId),
      },
      { additionalProperties: false },
    ),
    response: Stored,
  }),
  updateCard: endpoint({
    method: 'PUT',
    path: '/v1/ec/payments/cards',
    access: 'customer',
    summary: 'Changes expiry, name and address of a stored card; what is left out stays',
    body: Type.Object(
      { id: Type.Optional(MethodId), ...Ignored, ...CardParts },
      { additionalProperties: false, description: 'The card is named by id or paymentSourceId; its number, brand and type are ignored' },
    ),
    response: Card,
  }),
  removeCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/payments/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card; the first one left becomes the default when the default is removed',
    params: ById,
    response: null,
  }),
  makeDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/payments/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored card or bank account the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
  bankMethods: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/payment-methods',
    access: 'customer',
    summary: 'The stored bank accounts, first added first; none for a reseller without payments',
    response: Type.Array(BankMethod),
  }),
  removeBankMethod: endpoint({
    method: 'DELETE',
    path: '/v1/ec/payments/payment-methods/{id}/detach',
    access: 'customer',
    summary: 'Removes a stored bank account',
    params: ById,
    response: null,
  }),
  setupIntent: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/setup-intent',
    access: 'customer',
    summary: 'Begins to store a method in the browser: what its script needs',
    response: Type.Object({
      id: Type.String(),
      clientSecret: Type.String(),
      publishableKey: nullable(Type.String()),
      paymentMethodTypes: Type.Array(Type.String(), { description: 'card, and the kind of debit that the reseller takes on its page' }),
    }),
  }),
  confirmSetup: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/setup-intent',
    access: 'customer',
    summary: 'Stores a bank account whose owner has ticked the mandate, made or confirmed by the script in the browser',
    body: Type.Object(
      {
        paymentMethodId: Type.String({ minLength: 1, maxLength: 255 }),
        paymentMethodType: Type.Union([Type.Literal('au_becs_debit'), Type.Literal('sepa_debit')]),
        accountHolderName: Holder,
        email: Email,
      },
      { additionalProperties: false },
    ),
    response: Stored,
  }),
  checkoutSession: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/checkout-session/{type}',
    access: 'customer',
    summary: "Begins to store a bank account on the provider's own page: its session and address",
    params: Type.Object({ type: Type.Union([Type.Literal('bacs_debit'), Type.Literal('us_bank_account')]) }),
    response: Type.Object({ id: Type.String(), url: Type.String() }),
  }),
}
