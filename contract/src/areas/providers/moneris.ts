import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'

const Digits = Type.Optional(Type.Union([Type.String({ maxLength: 4 }), Type.Integer({ minimum: 1, maximum: 9_999 })]))

/** A card in Moneris' vault. */
export const MonerisCard = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  monerisCard: Type.Optional(
    Type.Object({
      cardNumber: nullable(Type.String(), 'The last four digits, after three asterisks'),
      brand: Type.Optional(nullable(Type.String())),
      month: nullable(Type.Integer()),
      year: nullable(Type.Integer()),
      phone: nullable(Type.String()),
      email: nullable(Type.String()),
    }),
  ),
})
export type MonerisCard = Static<typeof MonerisCard>

const MethodId = Type.String({ minLength: 1, maxLength: 64 })

export const monerisMethods = {
  monerisCards: endpoint({
    method: 'GET',
    path: '/v1/ec/moneris/cards',
    access: 'customer',
    summary: 'The stored cards, first added first',
    response: Type.Array(MonerisCard),
  }),
  addMonerisCard: endpoint({
    method: 'POST',
    path: '/v1/ec/moneris/cards',
    access: 'customer',
    summary: 'Stores a card: by its number where the reseller allows that, else by a token of the provider’s own fields',
    body: Type.Object(
      {
        token: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        cardNumber: Type.Optional(Type.String({ maxLength: 40 })),
        cvdValue: Type.Optional(Type.String({ maxLength: 4 })),
        expMonth: Digits,
        expYear: Digits,
        phone: Type.Optional(Type.String({ maxLength: 30 })),
        email: Type.Optional(Type.String({ maxLength: 254 })),
      },
      { additionalProperties: false, description: 'Either token, or cardNumber, cvdValue, expMonth and expYear' },
    ),
    response: Stored,
  }),
  removeMonerisCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/moneris/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card; the first one left becomes the default when the default is removed',
    params: Type.Object({ id: MethodId }),
    response: null,
  }),
  makeMonerisDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/moneris/customer-default-source',
    access: 'customer',
    summary: 'Makes a stored card the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
}
