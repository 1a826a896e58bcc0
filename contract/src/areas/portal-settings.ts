import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'
import { BrandFlags } from './brands.ts'
import { nullable } from '../kit/http/nullable.ts'
import { DueAdjustment } from '../kit/payments/adjustment.ts'

export const PortalSettings = Type.Object({
  invoiceLabel: Type.Object({ singular: Type.String(), plural: Type.String() }),
  companyName: Type.String(),
  payments: Type.Object({
    enabled: Type.Boolean(),
    bulk: Type.Boolean(),
    paymentType: Type.Integer(),
    billingAddressRequired: Type.Boolean(),
    emailReceipt: Type.Boolean(),
    adjustments: Type.Array(DueAdjustment, {
      description: 'What a payment of several invoices collects besides them, in its currency; none where several cannot be paid at once',
    }),
  }),
})
export type PortalSettings = Static<typeof PortalSettings>

export const PaymentDetails = Type.Object({
  paymentType: Type.Integer(),
  publishableKey: nullable(Type.String()),
  scriptUrl: nullable(Type.String(), "Where the browser loads the provider's script from"),
  takesCardNumbers: Type.Boolean({ description: "Card numbers are typed on the page; else into the provider's own fields" }),
  splitCardFields: Type.Boolean({ description: "A card's number, expiry and code have a field each" }),
  directDebitPaymentMethodId: nullable(Type.Integer()),
  paymentTypeDisclaimer: nullable(Type.String()),
  companyName: Type.String(),
  paymentEmailReceipt: Type.Boolean(),
  paymentBillingAddressRequired: Type.Boolean(),
  invoiceLabelSingular: Type.String(),
  invoiceLabelPlural: Type.String(),
  currencySymbol: Type.Object({ symbol: Type.String() }),
  ...BrandFlags,
})
export type PaymentDetails = Static<typeof PaymentDetails>

export const portalSettings = {
  settings: endpoint({
    method: 'GET',
    path: '/v1/ec/settings',
    access: 'customer',
    summary: 'Labels, company name and what payments can do for this customer',
    response: PortalSettings,
  }),
  paymentDetails: endpoint({
    method: 'GET',
    path: '/v1/ec/payments/details',
    access: 'customer',
    summary: 'Payment company, its public key, labels and the brand flags',
    response: PaymentDetails,
  }),
}
