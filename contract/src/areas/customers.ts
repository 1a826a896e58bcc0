import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'
import { Choices } from './user/profile.ts'

export const Customer = Type.Object({
  customerId: Type.Integer(),
  label: Type.String(),
  selected: Type.Boolean({ description: 'The one to start with when the browser has stored none' }),
  currency: Type.String({ description: 'ISO 4217: of the balance and of usage, and of whatever names no other' }),
  currencySymbol: Type.String({ description: 'What stands before amounts in it' }),
})
export type Customer = Static<typeof Customer>

export const customers = {
  me: endpoint({
    method: 'GET',
    path: '/v1/ec/me',
    access: 'user',
    summary: 'The customers that the signed-in user may act for, and what the user has chosen in the profile',
    response: Type.Object({ customers: Type.Array(Customer), ...Choices }),
  }),
}
