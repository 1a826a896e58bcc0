import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'

/** A card or a bank account that BPOINT stores. */
export const BpointMethod = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  sourceType: Type.Optional(Type.Union([Type.Literal('CC'), Type.Literal('ACH')], { description: 'CC a card, ACH a bank account' })),
  type: Type.Optional(Type.String({ description: 'What a payment by it is sent as' })),
  accountHolderName: Type.Optional(nullable(Type.String())),
  bPointCard: Type.Optional(
    Type.Object({
      scheme: nullable(Type.String(), 'VC, MC, AX, DC, JC or UP'),
      number: nullable(Type.String(), 'The first six digits, three dots and the last three'),
      expiryMonth: nullable(Type.Integer()),
      expiryYear: nullable(Type.Integer()),
      name: nullable(Type.String()),
      emailAddress: nullable(Type.String()),
    }),
  ),
  bPointBankAccount: Type.Optional(Type.Object({ bsb: nullable(Type.String()), account: nullable(Type.String(), 'The last four digits') })),
})
export type BpointMethod = Static<typeof BpointMethod>

const MethodId = Type.String({ minLength: 1, maxLength: 64 })
const AuthKey = Type.String({ minLength: 1, maxLength: 128 })
const AuthKeyAnswer = Type.Object({ authKey: Type.String() })

export const bpointMethods = {
  bpointCards: endpoint({
    method: 'GET',
    path: '/v1/ec/bpoint/cards',
    access: 'customer',
    summary: 'The stored cards and bank accounts, cards first, first added first',
    response: Type.Array(BpointMethod),
  }),
  openBpointKey: endpoint({
    method: 'GET',
    path: '/v1/ec/bpoint/authkeys',
    access: 'customer',
    summary: 'Opens a key to which the browser attaches a card or a bank account, by the provider’s own script',
    response: AuthKeyAnswer,
  }),
  addBpointCard: endpoint({
    method: 'POST',
    path: '/v1/ec/bpoint/cards',
    access: 'customer',
    summary: 'Stores the card or the bank account that the browser has attached to a key',
    body: Type.Object(
      { authKeys: Type.Union([AuthKey, Type.Array(AuthKey, { minItems: 1, maxItems: 5 })], { description: 'One key, also as a list' }) },
      { additionalProperties: false },
    ),
    response: Stored,
  }),
  tokenizeBpointCard: endpoint({
    method: 'POST',
    path: '/v1/ec/bpoint/cards/tokenize',
    access: 'customer',
    summary: 'Opens a key that changes a stored method: its email address, and its card or account where the browser attaches one',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 64, description: 'The id of the stored method' }),
        emailAddress: Type.Optional(Type.String({ maxLength: 254 })),
        crn1: Type.Optional(Type.String({ maxLength: 50, description: 'Accepted and ignored: it is always the customer’s' })),
      },
      { additionalProperties: false },
    ),
    response: AuthKeyAnswer,
  }),
  removeBpointCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/bpoint/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored method; the first one left becomes the default when the default is removed',
    params: Type.Object({ id: MethodId }),
    response: null,
  }),
  makeBpointDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/bpoint/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored method the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
}
