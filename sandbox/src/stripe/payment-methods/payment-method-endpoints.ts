import type { Customer } from '../objects/customers.ts'
import { existingCustomer } from '../objects/customers.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { parseExpiry } from './cards.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { objectParam, metadataParam, enumParam, stringParam } from '../api/params.ts'
import { type PaymentMethod, METHOD_TYPES } from './payment-method.ts'
import { attachMethod, billingDetails, newMethod, newPresetMethod } from './payment-methods.ts'
import { invalidRequest, notFound } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

/**
 * The stored method, or a new one that is stored when the id is predefined, such as `pm_card_visa`.
 * @throws StripeError when there is neither
 */
const getMethod = (sandbox: StripeSession, id: string): PaymentMethod => {
  const method = sandbox.find<PaymentMethod>('payment_method', id) ?? newPresetMethod(sandbox, id)
  if (method === undefined) throw notFound('PaymentMethod', id, 'payment_method')
  return method
}

/** `/v1/payment_methods` */
export const paymentMethodEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    operation: 'tokenise',
    allowsPublishableKey: true,
    params: ['type', ...METHOD_TYPES, 'billing_details', 'metadata', 'allow_redisplay', 'guid', 'muid', 'sid', 'payment_user_agent'],
    handle: ({ sandbox, form, hasSecretKey }) => newMethod(sandbox, form, hasSecretKey),
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    operation: 'methods',
    params: [...LIST_PARAMS, 'customer', 'type', 'allow_redisplay'],
    handle: ({ sandbox, form }) => {
      const type = enumParam(form, 'type', METHOD_TYPES)
      const customer = stringParam(form, 'customer')
      if (customer !== undefined) existingCustomer(sandbox, customer)
      const methods = sandbox
        .all<PaymentMethod>('payment_method')
        .filter((method) => (customer === undefined || method.customer === customer) && (type === undefined || method.type === type))
      return listPage(methods, form, '/v1/payment_methods')
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    operation: 'methods',
    params: [...LIST_PARAMS, 'type', 'allow_redisplay'],
    handle: ({ sandbox, form, id }) => {
      const type = enumParam(form, 'type', METHOD_TYPES)
      const { id: customer } = existingCustomer(sandbox, id)
      const methods = sandbox
        .all<PaymentMethod>('payment_method')
        .filter((method) => method.customer === customer && (type === undefined || method.type === type))
      return listPage(methods, form, `/v1/customers/${customer}/payment_methods`)
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    operation: 'method',
    params: [],
    handle: ({ sandbox, id }) => getMethod(sandbox, id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id',
    operation: 'method',
    params: ['billing_details', 'card', 'metadata', 'allow_redisplay'],
    handle: ({ sandbox, form, id }) => {
      const method = sandbox.get<PaymentMethod>('payment_method', id, 'payment_method')
      if (method.customer === null) throw invalidRequest('You must save this PaymentMethod to a customer before you can update it.')
      const updated = sandbox.put({
        ...method,
        ...updatedCard(method, form, sandbox.now),
        billing_details: billingDetails(form, method.billing_details),
        metadata: metadataParam(form, method.metadata),
        allow_redisplay: enumParam(form, 'allow_redisplay', ['always', 'limited', 'unspecified']) ?? method.allow_redisplay,
      })
      sandbox.emit({ type: 'payment_method.updated', object: updated, previous: { billing_details: method.billing_details } })
      return updated
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    operation: 'attach',
    forcedOutcomes: ['decline'],
    params: ['customer'],
    requiredParams: ['customer'],
    handle: ({ sandbox, form, id, forcedOutcome }) =>
      attachMethod(sandbox, getMethod(sandbox, id), existingCustomer(sandbox, stringParam(form, 'customer') ?? '').id, forcedOutcome),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    operation: 'detach',
    params: [],
    handle: ({ sandbox, id }) => {
      const method = sandbox.get<PaymentMethod>('payment_method', id, 'payment_method')
      if (method.customer === null)
        throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.')
      clearDefaultMethod(sandbox, method)
      const detached = sandbox.put({ ...method, customer: null, sandbox_only: { ...method.sandbox_only, spent: true } })
      sandbox.emit({ type: 'payment_method.detached', object: detached, previous: { customer: method.customer } })
      return detached
    },
  },
]

/** The change of a card's expiry date; empty without one. @throws StripeError for any other change or a past date */
const updatedCard = (method: PaymentMethod, form: Parameters<typeof objectParam>[0], now: number): Partial<PaymentMethod> => {
  const changes = objectParam(form, 'card')
  if (changes === undefined || method.card === undefined) return {}
  const unknown = Object.keys(changes).find((name) => name !== 'exp_month' && name !== 'exp_year' && name !== 'networks')
  if (unknown !== undefined)
    throw invalidRequest(`Received unknown parameter: card[${unknown}]`, { code: 'parameter_unknown', param: `card[${unknown}]` })
  const [exp_month, exp_year] = parseExpiry(
    { exp_month: String(method.card.exp_month), exp_year: String(method.card.exp_year), ...changes },
    now,
  )
  return { card: { ...method.card, exp_month, exp_year } }
}

/** Stores that the method is no longer its customer's default, if it was, and queues the event. */
const clearDefaultMethod = (sandbox: StripeSession, { id, customer: owner }: PaymentMethod): void => {
  const customer = sandbox.find<Customer>('customer', owner ?? '')
  if (customer?.invoice_settings.default_payment_method !== id) return
  const updated = sandbox.put({ ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: null } })
  sandbox.emit({ type: 'customer.updated', object: updated, previous: { invoice_settings: customer.invoice_settings } })
}
