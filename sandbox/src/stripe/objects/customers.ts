import type { Form } from '../api/form.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { newId, randomText } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { objectParam, metadataParam, stringParam, stringOrNullParam } from '../api/params.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import { attachMethod, requireAttachedTo, requiredMethodParam } from '../payment-methods/payment-methods.ts'
import { notFound } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

interface InvoiceSettings {
  readonly custom_fields: null
  readonly default_payment_method: string | null
  readonly footer: null
  readonly rendering_options: null
}

export interface Customer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly email: string | null
  readonly name: string | null
  readonly description: string | null
  readonly phone: string | null
  readonly address: object | null
  readonly metadata: Readonly<Record<string, string>>
  readonly invoice_settings: InvoiceSettings
  readonly deleted?: true
}

const CUSTOMER_PARAMS = [
  'address',
  'description',
  'email',
  'invoice_settings',
  'metadata',
  'name',
  'payment_method',
  'phone',
  'preferred_locales',
] as const

/** The stored customer. @throws StripeError when the customer does not exist or was deleted */
export const existingCustomer = (sandbox: StripeSession, id: string, param = 'customer'): Customer => {
  const customer = sandbox.get<Customer>('customer', id, param)
  if (customer.deleted) throw notFound('customer', id, param)
  return customer
}

/** An empty customer, not stored yet. */
const newCustomer = (id: string, created: number) => ({
  id,
  object: 'customer' as const,
  address: null,
  balance: 0,
  created,
  currency: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: randomText(8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
})

/** The customer with the changes of the form, not stored. @throws StripeError when a parameter is not valid */
const toUpdatedCustomer = (sandbox: StripeSession, customer: Customer, form: Form): Customer => ({
  ...customer,
  ...Object.fromEntries(
    ['description', 'email', 'name', 'phone']
      .filter((name) => form[name] !== undefined)
      .map((name) => [name, stringOrNullParam(form, name)]),
  ),
  ...(form['address'] === undefined ? {} : { address: objectParam(form, 'address') ?? null }),
  metadata: metadataParam(form, customer.metadata),
  invoice_settings: { ...customer.invoice_settings, ...defaultMethodChange(sandbox, customer.id, form) },
})

/** The form's change of the default method; empty without one. @throws StripeError when the method is not the customer's */
const defaultMethodChange = (sandbox: StripeSession, customer: string, form: Form): Partial<InvoiceSettings> => {
  const settings = objectParam(form, 'invoice_settings')
  if (settings?.['default_payment_method'] === undefined) return {}
  const id = stringParam(settings, 'default_payment_method')
  if (id === undefined) return { default_payment_method: null }
  const param = 'invoice_settings[default_payment_method]'
  requireAttachedTo(sandbox.get<PaymentMethod>('payment_method', id, param), customer, param)
  return { default_payment_method: id }
}

/** The operation by which `POST /faults` knows an update: of the default method, or of the customer. */
const updateOperation = (form: Form): string => (form['invoice_settings'] === undefined ? 'customer' : 'default-method')

/** `/v1/customers` */
export const customerEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    operation: 'customer',
    params: CUSTOMER_PARAMS,
    handle: ({ sandbox, form, forcedOutcome }) => {
      const customer = sandbox.put(newCustomer(newId('cus'), sandbox.now))
      if (stringParam(form, 'payment_method') !== undefined)
        attachMethod(sandbox, requiredMethodParam(sandbox, form), customer.id, forcedOutcome)
      const filled = sandbox.put(toUpdatedCustomer(sandbox, customer, form))
      sandbox.emit({ type: 'customer.created', object: filled })
      return filled
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    operation: 'customer',
    params: [],
    handle: ({ sandbox, id }) => {
      const customer = sandbox.get<Customer>('customer', id)
      return customer.deleted ? { id, object: 'customer', deleted: true } : customer
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    operation: updateOperation,
    params: CUSTOMER_PARAMS,
    handle: ({ sandbox, form, id }) => {
      const before = existingCustomer(sandbox, id, 'id')
      const customer = sandbox.put(toUpdatedCustomer(sandbox, before, form))
      sandbox.emit({ type: 'customer.updated', object: customer, previous: { invoice_settings: before.invoice_settings } })
      return customer
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    operation: 'customer',
    params: [],
    handle: ({ sandbox, id }) => {
      const customer = existingCustomer(sandbox, id, 'id')
      for (const method of sandbox.all<PaymentMethod>('payment_method').filter((one) => one.customer === id))
        sandbox.put({ ...method, customer: null, sandbox_only: { ...method.sandbox_only, spent: true } })
      sandbox.emit({ type: 'customer.deleted', object: sandbox.put({ ...customer, deleted: true }) })
      return { id, object: 'customer', deleted: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    operation: 'list',
    params: [...LIST_PARAMS, 'email'],
    handle: ({ sandbox, form }) => {
      const email = stringParam(form, 'email')
      const customers = sandbox.all<Customer>('customer').filter((one) => !one.deleted && (email === undefined || one.email === email))
      return listPage(customers, form, '/v1/customers')
    },
  },
]
