import type { Customer } from '../customers.ts'
import { livingCustomer } from '../customers.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { expiry } from './cards.ts'
import { LIST_TAKES, pageOf } from '../../api/lists.ts'
import { inner, metadata, oneOf, text } from '../../api/params.ts'
import { type PaymentMethod, TYPES } from './payment-method.ts'
import { attach, billingDetails, newMethod, readyMethod } from './payment-methods.ts'
import { invalid, missing } from '../../api/stripe-error.ts'
import type { Work } from '../../store/sandbox-session.ts'

const found = (work: Work, id: string): PaymentMethod => {
  const method = work.find<PaymentMethod>('payment_method', id) ?? readyMethod(work, id)
  if (method === undefined) throw missing('PaymentMethod', id, 'payment_method')
  return method
}

/** `/v1/payment_methods` */
export const paymentMethodEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    operation: 'tokenise',
    fromPages: true,
    takes: ['type', ...TYPES, 'billing_details', 'metadata', 'allow_redisplay', 'guid', 'muid', 'sid', 'payment_user_agent'],
    run: ({ work, form, secret }) => newMethod(work, form, secret),
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    operation: 'methods',
    takes: [...LIST_TAKES, 'customer', 'type', 'allow_redisplay'],
    run: ({ work, form }) => {
      const type = oneOf(form, 'type', TYPES)
      const customer = text(form, 'customer')
      if (customer !== undefined) livingCustomer(work, customer)
      const methods = work
        .all<PaymentMethod>('payment_method')
        .filter((one) => (customer === undefined || one.customer === customer) && (type === undefined || one.type === type))
      return pageOf(methods, form, '/v1/payment_methods')
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    operation: 'methods',
    takes: [...LIST_TAKES, 'type', 'allow_redisplay'],
    run: ({ work, form, id }) => {
      const type = oneOf(form, 'type', TYPES)
      const { id: customer } = livingCustomer(work, id)
      const methods = work
        .all<PaymentMethod>('payment_method')
        .filter((one) => one.customer === customer && (type === undefined || one.type === type))
      return pageOf(methods, form, `/v1/customers/${customer}/payment_methods`)
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    operation: 'method',
    takes: [],
    run: ({ work, id }) => found(work, id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id',
    operation: 'method',
    takes: ['billing_details', 'card', 'metadata', 'allow_redisplay'],
    run: ({ work, form, id }) => {
      const method = work.get<PaymentMethod>('payment_method', id, 'payment_method')
      if (method.customer === null) throw invalid('You must save this PaymentMethod to a customer before you can update it.')
      const updated = work.put({
        ...method,
        ...cardOf(method, form, work.now),
        billing_details: billingDetails(form, method.billing_details),
        metadata: metadata(form, method.metadata),
        allow_redisplay: oneOf(form, 'allow_redisplay', ['always', 'limited', 'unspecified']) ?? method.allow_redisplay,
      })
      work.tell('payment_method.updated', updated, { billing_details: method.billing_details })
      return updated
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    operation: 'attach',
    obeys: ['decline'],
    takes: ['customer'],
    needs: ['customer'],
    run: ({ work, form, id, order }) => attach(work, found(work, id), livingCustomer(work, text(form, 'customer') ?? '').id, order),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    operation: 'detach',
    takes: [],
    run: ({ work, id }) => {
      const method = work.get<PaymentMethod>('payment_method', id, 'payment_method')
      if (method.customer === null)
        throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.')
      forgetDefault(work, method)
      const detached = work.put({ ...method, customer: null, sandbox_only: { ...method.sandbox_only, spent: true } })
      work.tell('payment_method.detached', detached, { customer: method.customer })
      return detached
    },
  },
]

const cardOf = (method: PaymentMethod, form: Parameters<typeof inner>[0], now: number): Partial<PaymentMethod> => {
  const sent = inner(form, 'card')
  if (sent === undefined || method.card === undefined) return {}
  const other = Object.keys(sent).find((name) => name !== 'exp_month' && name !== 'exp_year' && name !== 'networks')
  if (other !== undefined)
    throw invalid(`Received unknown parameter: card[${other}]`, { code: 'parameter_unknown', param: `card[${other}]` })
  const [exp_month, exp_year] = expiry({ exp_month: String(method.card.exp_month), exp_year: String(method.card.exp_year), ...sent }, now)
  return { card: { ...method.card, exp_month, exp_year } }
}

const forgetDefault = (work: Work, { id, customer: owner }: PaymentMethod): void => {
  const customer = work.find<Customer>('customer', owner ?? '')
  if (customer?.invoice_settings.default_payment_method !== id) return
  const without = work.put({ ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: null } })
  work.tell('customer.updated', without, { invoice_settings: customer.invoice_settings })
}
