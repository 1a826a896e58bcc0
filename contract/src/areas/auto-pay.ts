import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/endpoint.ts'
import { nullable } from '../kit/nullable.ts'

export const ResellerCharge = Type.Object({
  allowResellerCharge: Type.Boolean(),
  hidePaymentTypesForCustomerUsers: Type.Boolean(),
  requireCustomerPermissionForCharging: Type.Boolean(),
  confirmationMessageForCharging: nullable(Type.String()),
})
export type ResellerCharge = Static<typeof ResellerCharge>

export const autoPay = {
  consent: endpoint({
    method: 'GET',
    path: '/v1/ec/allow-reseller-charge',
    access: 'customer',
    summary: 'May the reseller charge the default payment method, and what the portal says about it',
    reply: ResellerCharge,
  }),
  setConsent: endpoint({
    method: 'PUT',
    path: '/v1/ec/allow-reseller-charge',
    access: 'customer',
    summary: 'Gives or withdraws the permission to charge the default payment method',
    body: Type.Object(
      {
        allowResellerCharge: Type.Boolean(),
        // What else the answer holds may come along and is ignored.
        hidePaymentTypesForCustomerUsers: Type.Optional(Type.Boolean()),
        requireCustomerPermissionForCharging: Type.Optional(Type.Boolean()),
        confirmationMessageForCharging: Type.Optional(nullable(Type.String({ maxLength: 5_000 }))),
      },
      { additionalProperties: false },
    ),
    reply: ResellerCharge,
  }),
}
