import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'

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
    response: ResellerCharge,
  }),
  setConsent: endpoint({
    method: 'PUT',
    path: '/v1/ec/allow-reseller-charge',
    access: 'customer',
    summary: 'Gives or withdraws the permission to charge the default payment method',
    notForSupport: 'A support session cannot give or withdraw the permission to charge in the customer’s name.',
    body: Type.Object(
      {
        allowResellerCharge: Type.Boolean(),
        // Clients may send the whole object that they received; its other fields are ignored.
        hidePaymentTypesForCustomerUsers: Type.Optional(Type.Boolean()),
        requireCustomerPermissionForCharging: Type.Optional(Type.Boolean()),
        confirmationMessageForCharging: Type.Optional(nullable(Type.String({ maxLength: 5_000 }))),
      },
      { additionalProperties: false },
    ),
    response: ResellerCharge,
  }),
}
