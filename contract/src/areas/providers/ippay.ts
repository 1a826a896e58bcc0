import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { Stored } from '../payment-methods.ts'
import { ShownTotalQuery } from '../../kit/payments/pay-form.ts'

/** A card or a bank account at IPpay. */
export const IPpayMethod = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean(),
  sourceType: Type.Optional(Type.Union([Type.Literal('CC'), Type.Literal('ACH')])),
  ipPayCard: Type.Optional(
    Type.Object({
      type: nullable(Type.String()),
      number: nullable(Type.String(), 'The last four digits, after four asterisks'),
      expiryMonth: nullable(Type.Integer()),
      expiryYear: nullable(Type.Integer()),
    }),
  ),
  ipPayBankAccount: Type.Optional(
    Type.Object({ accNum: nullable(Type.String(), 'The last four digits, after four asterisks'), routingNum: nullable(Type.String()) }),
  ),
})
export type IPpayMethod = Static<typeof IPpayMethod>

const MethodId = Type.String({ minLength: 1, maxLength: 64 })

export const ippayMethods = {
  ippayCards: endpoint({
    method: 'GET',
    path: '/v1/ec/ippay/cards',
    access: 'customer',
    summary: 'The stored cards and bank accounts, cards first, each first added first',
    response: Type.Array(IPpayMethod),
  }),
  addIPpayCard: endpoint({
    method: 'POST',
    path: '/v1/ec/ippay/cards',
    access: 'customer',
    summary: 'Stores the card or account that was entered in a frame, as the frame does itself when it is done',
    body: Type.Object(
      { token: Type.String({ minLength: 1, maxLength: 1_024, description: "The last part of the frame's return address" }) },
      { additionalProperties: false },
    ),
    response: Stored,
  }),
  makeIPpayDefault: endpoint({
    method: 'PUT',
    path: '/v1/ec/ippay/cards',
    access: 'customer',
    summary: 'Makes a stored card or bank account the default',
    body: Type.Object({ id: MethodId }, { additionalProperties: false }),
    response: null,
  }),
  removeIPpayCard: endpoint({
    method: 'DELETE',
    path: '/v1/ec/ippay/cards/{id}',
    access: 'customer',
    summary: 'Removes a stored card or bank account; the first card left becomes the default when the default is removed',
    params: Type.Object({ id: MethodId }),
    response: null,
  }),
  ippayCardTemplate: endpoint({
    method: 'GET',
    path: '/v1/ec/ippay/cards/{type}/templates',
    access: 'customer',
    summary: "A document with the frame of the provider's own page, in which a card or an account to store is entered",
    params: Type.Object({ type: Type.Union([Type.Literal('CC'), Type.Literal('ACH')]) }),
    response: { file: 'text/html' },
  }),
  ippayBulkTemplate: endpoint({
    method: 'GET',
    path: '/v1/ec/ippay/pay/bulk-template/{sessionId}',
    access: 'customer',
    summary: "A document with the frame of the provider's own page, in which the card that pays an intent is entered",
    params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: ShownTotalQuery,
    response: { file: 'text/html' },
  }),
}
