import type { Form } from '../api/form.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { newId, random } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { inner, metadata, text, textOrNull } from '../api/params.ts'
import type { PaymentMethod } from './payment-methods/payment-method.ts'
import { attach, mustBeOf, wantedMethod } from './payment-methods/payment-methods.ts'
import { missing } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

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

const FIELDS = [
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

/** The customer, unless there is none or it was deleted. */
export const livingCustomer = (work: Work, id: string, param = 'customer'): Customer => {
  const customer = work.get<Customer>('customer', id, param)
  if (customer.deleted) throw missing('customer', id, param)
  return customer
}

const empty = (id: string, created: number) => ({
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
  invoice_prefix: random(8).toUpperCase(),
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

const changed = (work: Work, customer: Customer, form: Form): Customer => ({
  ...customer,
  ...Object.fromEntries(
    ['description', 'email', 'name', 'phone'].filter((name) => form[name] !== undefined).map((name) => [name, textOrNull(form, name)]),
  ),
  ...(form['address'] === undefined ? {} : { address: inner(form, 'address') ?? null }),
  metadata: metadata(form, customer.metadata),
  invoice_settings: { ...customer.invoice_settings, ...wantedDefault(work, customer.id, form) },
})

const wantedDefault = (work: Work, customer: string, form: Form): Partial<InvoiceSettings> => {
  const settings = inner(form, 'invoice_settings')
  if (settings?.['default_payment_method'] === undefined) return {}
  const id = text(settings, 'default_payment_method')
  if (id === undefined) return { default_payment_method: null }
  const param = 'invoice_settings[default_payment_method]'
  mustBeOf(work.get<PaymentMethod>('payment_method', id, param), customer, param)
  return { default_payment_method: id }
}

const operation = (form: Form): string => (form['invoice_settings'] === undefined ? 'customer' : 'default-method')

/** `/v1/customers` */
export const customerEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    operation: 'customer',
    takes: FIELDS,
    run: ({ work, form, order }) => {
      const customer = work.put(empty(newId('cus'), work.now))
      if (text(form, 'payment_method') !== undefined) attach(work, wantedMethod(work, form), customer.id, order)
      const filled = work.put(changed(work, customer, form))
      work.tell('customer.created', filled)
      return filled
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    operation: 'customer',
    takes: [],
    run: ({ work, id }) => {
      const customer = work.get<Customer>('customer', id)
      return customer.deleted ? { id, object: 'customer', deleted: true } : customer
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    operation,
    takes: FIELDS,
    run: ({ work, form, id }) => {
      const before = livingCustomer(work, id, 'id')
      const customer = work.put(changed(work, before, form))
      work.tell('customer.updated', customer, { invoice_settings: before.invoice_settings })
      return customer
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    operation: 'customer',
    takes: [],
    run: ({ work, id }) => {
      const customer = livingCustomer(work, id, 'id')
      for (const method of work.all<PaymentMethod>('payment_method').filter((one) => one.customer === id))
        work.put({ ...method, customer: null, sandbox_only: { ...method.sandbox_only, spent: true } })
      work.tell('customer.deleted', work.put({ ...customer, deleted: true }))
      return { id, object: 'customer', deleted: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    operation: 'list',
    takes: [...LIST_TAKES, 'email'],
    run: ({ work, form }) => {
      const email = text(form, 'email')
      const customers = work.all<Customer>('customer').filter((one) => !one.deleted && (email === undefined || one.email === email))
      return pageOf(customers, form, '/v1/customers')
    },
  },
]
