import type { Form } from '../api/form.ts'
import { newId } from '../store/ids.ts'
import { inner, oneOf, text } from '../api/params.ts'
import type { PaymentMethod } from './payment-methods/payment-method.ts'
import { invalid } from '../api/stripe-error.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { Work } from '../store/sandbox-session.ts'

interface Acceptance {
  readonly accepted_at: number
  readonly type: 'online' | 'offline'
  readonly online?: { readonly ip_address: string | null; readonly user_agent: string | null }
  readonly offline?: object
}

export interface Mandate {
  readonly id: string
  readonly object: 'mandate'
  readonly customer_acceptance: Acceptance
  readonly payment_method: string
  readonly status: 'active' | 'inactive' | 'pending'
}

/**
 * How the customer agreed, as `mandate_data` says it; undefined when it was not sent.
 * @throws StripeError when something of it is missing
 */
export const acceptanceIn = (form: Form, now: number): Acceptance | undefined => {
  const data = inner(form, 'mandate_data')
  if (data === undefined) return undefined
  const acceptance = inner(data, 'customer_acceptance') ?? needed('mandate_data[customer_acceptance]')
  const type = oneOf(acceptance, 'type', ['online', 'offline']) ?? needed('mandate_data[customer_acceptance][type]')
  if (type === 'offline') return { accepted_at: now, type, offline: {} }
  const online = inner(acceptance, 'online') ?? needed('mandate_data[customer_acceptance][online]')
  if (text(online, 'infer_from_client') === 'true') return { accepted_at: now, type, online: { ip_address: '127.0.0.1', user_agent: null } }
  return {
    accepted_at: now,
    type,
    online: {
      ip_address: text(online, 'ip_address') ?? needed('mandate_data[customer_acceptance][online][ip_address]'),
      user_agent: text(online, 'user_agent') ?? needed('mandate_data[customer_acceptance][online][user_agent]'),
    },
  }
}

const needed = (param: string): never => {
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

/** A mandate for that method, kept with it. */
export const giveMandate = (work: Work, method: PaymentMethod, acceptance: Acceptance): PaymentMethod => {
  const id = newId('mandate')
  const mandate = {
    id,
    object: 'mandate' as const,
    customer_acceptance: acceptance,
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: {} },
    status: 'active' as const,
    type: 'multi_use',
  }
  work.put(mandate)
  return work.put({ ...method, sandbox_only: { ...method.sandbox_only, mandate: id } })
}

/** The mandate's end; it is told. */
export const endMandate = (work: Work, method: PaymentMethod): void => {
  const mandate = work.find<Mandate>('mandate', method.sandbox_only.mandate ?? '')
  if (mandate?.status !== 'active') return
  work.tell('mandate.updated', work.put({ ...mandate, status: 'inactive' }), { status: 'active' })
}

/** `/v1/mandates` */
export const mandateEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/mandates/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => work.get<Mandate>('mandate', id, 'mandate'),
  },
]
