import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'

/** What the browser needs for the provider's own card fields. */
export const CardFieldsStart = Type.Object({
  fields: Type.Record(Type.String(), Type.String(), {
    description: 'Under the names of the provider: a public key, a one-time token, the address of a frame. Nothing secret',
  }),
})
export type CardFieldsStart = Static<typeof CardFieldsStart>

export const cardFields = {
  store: endpoint({
    method: 'POST',
    path: '/v1/ec/payments/card-fields',
    access: 'customer',
    summary: "Starts the provider's own fields, in which a card to store is entered",
    response: CardFieldsStart,
  }),
  pay: endpoint({
    method: 'POST',
    path: '/v1/ec/pay/{token}/card-fields',
    access: 'public',
    summary: "Starts the provider's own fields, in which the card that pays an invoice is entered",
    params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) }),
    response: CardFieldsStart,
  }),
}
