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
}
