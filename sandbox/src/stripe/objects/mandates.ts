import type { Form } from '../api/form.ts'
import { newId } from '../store/ids.ts'
import { objectParam, enumParam, stringParam } from '../api/params.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { StripeSession } from '../store/stripe-session.ts'

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
 * The customer's acceptance in `mandate_data`, dated `now` whatever the request says; undefined without `mandate_data`.
 * @throws StripeError when a part of the acceptance is missing
 */
export const acceptanceOf = (form: Form, now: number): Acceptance | undefined => {
  const data = objectParam(form, 'mandate_data')
  if (data === undefined) return undefined
  const acceptance = objectParam(data, 'customer_acceptance') ?? throwMissingParam('mandate_data[customer_acceptance]')
  const type = enumParam(acceptance, 'type', ['online', 'offline']) ?? throwMissingParam('mandate_data[customer_acceptance][type]')
  if (type === 'offline') return { accepted_at: now, type, offline: {} }
  const online = objectParam(acceptance, 'online') ?? throwMissingParam('mandate_data[customer_acceptance][online]')
  if (stringParam(online, 'infer_from_client') === 'true')
    return { accepted_at: now, type, online: { ip_address: '127.0.0.1', user_agent: null } }
  return {
    accepted_at: now,
    type,
    online: {
      ip_address: stringParam(online, 'ip_address') ?? throwMissingParam('mandate_data[customer_acceptance][online][ip_address]'),
      user_agent: stringParam(online, 'user_agent') ?? throwMissingParam('mandate_data[customer_acceptance][online][user_agent]'),
    },
  }
}

/** @throws StripeError for the missing parameter */
const throwMissingParam = (param: string): never => {
  throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

/** Stores an active mandate, and the method with the mandate's id. Returns the method. */
export const createMandate = (sandbox: StripeSession, method: PaymentMethod, acceptance: Acceptance): PaymentMethod => {
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
  sandbox.put(mandate)
  return sandbox.put({ ...method, sandbox_only: { ...method.sandbox_only, mandate: id } })
}

/** Deactivates the method's mandate and queues `mandate.updated`; does nothing without an active one. */
export const deactivateMandate = (sandbox: StripeSession, method: PaymentMethod): void => {
  const mandate = sandbox.find<Mandate>('mandate', method.sandbox_only.mandate ?? '')
  if (mandate?.status !== 'active') return
  sandbox.emit({ type: 'mandate.updated', object: sandbox.put({ ...mandate, status: 'inactive' }), previous: { status: 'active' } })
}

/** `/v1/mandates` */
export const mandateEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/mandates/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<Mandate>('mandate', id, 'mandate'),
  },
]
