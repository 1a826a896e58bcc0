import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'

const Text = nullable(Type.String())

/** A card in Nexio's vault. */
export const NexioCard = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  nexioCard: Type.Optional(
    Type.Object({
      cardType: Text,
      lastFour: Text,
      expirationMonth: nullable(Type.Integer()),
      expirationYear: nullable(Type.Integer()),
      cardHolderName: Text,
      customer: Type.Object({
        payerFirstName: Text,
        payerLastName: Text,
        billingAddress: Text,
        billingAddress2: Text,
        billingPhone: Text,
        shippingAddress: Text,
        shippingPhone: Text,
        country: Text,
        state: Text,
        zip: Text,
        email: Text,
      }),
    }),
  ),
})
export type NexioCard = Static<typeof NexioCard>

const Some = Type.Optional(Text)

/** A bank account in Nexio's vault. */
export const NexioAccount = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  type: Type.String({ description: 'What a payment by it is sent as: eCheck' }),
  accountHolderName: Some,
  routingNumber: Some,
  lastFour: Some,
  accountEmail: Some,
  accountAddress: Some,
  status: Type.Union([Type.Literal('ready'), Type.Literal('pending')], { description: 'Always ready' }),
  billingDetails: Type.Object({ name: Some, email: Some }),
})
export type NexioAccount = Static<typeof NexioAccount>

/** The schema of a text that may be missing or null. */
const Part = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })))
const Digits = Type.Optional(Type.Union([Type.String({ maxLength: 4 }), Type.Integer({ minimum: 0, maximum: 9_999 })]))
const Encrypted = Type.String({ maxLength: 1_024 })

const Customer = Type.Object(
  {
    payerFirstName: Part(100),
    payerLastName: Part(100),
    billingAddress: Part(200),
    billingAddress2: Part(200),
    billingPhone: Part(40),
    shippingAddress: Part(200),
    shippingPhone: Part(40),
    country: Part(2),
    state: Part(100),
    zip: Part(20),
    email: Part(254),
  },
  { additionalProperties: false },
)

const MethodId = Type.String({ minLength: 1, maxLength: 64 })
const ById = Type.Object({ id: MethodId })

const CARD_FIELDS = {
  cardType: Part(30),
  lastFour: Part(4),
  expirationMonth: Digits,
  expirationYear: Digits,
  cardHolderName: Part(200),
  customer: Type.Optional(Customer),
}

export const nexioMethods = {
  nexioCards: endpoint({
    method: 'GET',
    path: '/v1/ec/nexio/cards',
    access: 'customer',
    summary: 'The stored cards, first added first',
    response: Type.Array(NexioCard),
  }),
  addNexioCard: endpoint({
    method: 'POST',
    path: '/v1/ec/nexio/cards',
    access: 'customer',
    summary: "Stores a card: by its encrypted number where the reseller allows that, else by the token of the provider's own frame",
    body: Type.Object(
      {
        token: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        firstSix: Part(6),
        cvv: Digits,
        encryptedNumber: Type.Optional(Encrypted),
        ...CARD_FIELDS,
      },
      { additionalProperties: false, description: 'Either token, or encryptedNumber, cvv and the expiry' },
    ),
    response: Stored,
  }),
  updateNexioCard: endpoint({
    method: 'PUT',
    path: '/v1/ec/nexio/cards',
    access: 'customer',
    summary: 'Changes expiry, holder and payer of a stored card; what is left out stays',
    body: Type.Object({ id: MethodId, ...CARD_FIELDS }, { additionalProperties: false, description: 'Brand and last digits are ignored' }),
    response: NexioCard,
  }),
  removeNexioCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/nexio/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card; the first one left becomes the default when the default is removed',
    params: ById,
    response: null,
  }),
  makeNexioDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/nexio/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored card or bank account the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
  nexioAccounts: endpoint({
    method: 'GET',
    path: '/v1/ec/nexio/ach',
    access: 'customer',
    summary: 'The stored bank accounts, first added first',
    response: Type.Array(NexioAccount),
  }),
  addNexioAccount: endpoint({
    method: 'POST',
    path: '/v1/ec/nexio/ach',
    access: 'customer',
    summary: 'Stores a bank account whose number the browser has encrypted; a first method becomes the default',
    body: Type.Object(
      {
        routingNumber: Type.String({ maxLength: 64, description: 'Blanks and dashes are left out' }),
        encryptedBankAccountNumber: Encrypted,
        accountHolderName: Type.String({ maxLength: 200 }),
        email: Part(254),
        billingAddress: Part(200),
        lastFour: Part(4),
      },
      { additionalProperties: false },
    ),
    response: Stored,
  }),
  removeNexioAccount: endpoint({
    method: 'DELETE',
    path: '/v1/ec/nexio/ach/{id}',
    access: 'customer',
    summary: 'Removes a stored bank account',
    params: ById,
    response: null,
  }),
}
