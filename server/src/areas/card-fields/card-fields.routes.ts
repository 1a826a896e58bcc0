import { cardFields } from '@counterfoil/contract/card-fields'
import type { RegisterArea } from '../../http/request-context.ts'
import { type InvoicePaymentDeps, startLinkCardFields } from '../invoice-payment/invoice-payment.service.ts'
import type { PaymentMethodsDeps } from '../payment-methods/method-family.service.ts'
import { startCardFields } from '../payment-methods/payment-methods.service.ts'

/** Registers the endpoints that start the provider's own card fields: to store a card of a signed-in customer, and to pay by a link. */
export const cardFieldsArea =
  (deps: PaymentMethodsDeps & InvoicePaymentDeps): RegisterArea =>
  (route) => {
    route(cardFields.store, (request) => startCardFields(deps, request))
    route(cardFields.pay, (request, { params }) => startLinkCardFields(deps, request, params.token))
  }
