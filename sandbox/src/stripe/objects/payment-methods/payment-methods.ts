import type { Order } from '../../api/endpoint.ts'
import type { Form } from '../../api/form.ts'
import { newId } from '../../store/ids.ts'
import { newCard, readyCard } from './cards.ts'
import { newDebit, readyDebit } from './bank-accounts.ts'
import { inner, metadata, oneOf, text, textOrNull } from '../../api/params.ts'
import { type BillingDetails, type MethodSecrets, type MethodType, type PaymentMethod, TYPES } from './payment-method.ts'
import { cardError, invalid, missing } from '../../api/stripe-error.ts'
import { isDebit } from './test-accounts.ts'
import { declined, testCard } from './test-cards.ts'
import { cardOfToken } from './tokens.ts'
import type { Work } from '../../store/sandbox-session.ts'

const ADDRESS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const

/** Whose method it is, as a form says it, over what was known. */
export const billingDetails = (form: Form, before?: BillingDetails): BillingDetails => {
  const sent = inner(form, 'billing_details') ?? {}
  const address = inner(sent, 'address') ?? {}
  const said = (name: 'email' | 'name' | 'phone') => (sent[name] === undefined ? (before?.[name] ?? null) : textOrNull(sent, name))
  return {
    address: Object.fromEntries(
      ADDRESS.map((name) => [name, address[name] === undefined ? (before?.address[name] ?? null) : textOrNull(address, name)]),
    ),
    email: said('email'),
    name: said('name'),
    phone: said('phone'),
    tax_id: null,
  }
}

const stored = (
  work: Work,
  form: Form,
  face: { readonly type: MethodType; readonly secrets: MethodSecrets; readonly shown: object },
): PaymentMethod =>
  work.put({
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: oneOf(form, 'allow_redisplay', ['always', 'limited', 'unspecified']) ?? 'unspecified',
    billing_details: billingDetails(form),
    created: work.now,
    customer: null,
    livemode: false,
    metadata: metadata(form),
    type: face.type,
    [face.type]: face.shown,
    sandbox_only: face.secrets,
  } as PaymentMethod)

/**
 * A new method from what was typed.
 * @throws StripeError when a number, a day or a name is wrong
 */
export const newMethod = (work: Work, form: Form, secret: boolean): PaymentMethod => {
  const type = oneOf(form, 'type', TYPES)
  if (type === undefined) throw invalid('Missing required param: type.', { code: 'parameter_missing', param: 'type' })
  const typed = inner(form, type)
  if (typed === undefined) throw invalid(`Missing required param: ${type}.`, { code: 'parameter_missing', param: type })
  if (isDebit(type)) return stored(work, form, { type, ...newDebit(type, typed, billingDetails(form)) })
  return stored(work, form, { type, ...(cardOfToken(work, text(typed, 'token') ?? '') ?? newCard(typed, work.now, secret)) })
}

/** One of the methods that are always there (`pm_card_visa`), as a method of its own; undefined when that is none of them. */
export const readyMethod = (work: Work, id: string): PaymentMethod | undefined => {
  const card = readyCard(id, work.now)
  if (card !== undefined) return stored(work, {}, card)
  const debit = readyDebit(id)
  if (debit === undefined) return undefined
  const named: Form = { billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' } }
  return stored(work, named, debit)
}

/** The method that a form names in `payment_method`; undefined when it names none. */
export const namedMethod = (work: Work, form: Form): PaymentMethod | undefined => {
  const id = text(form, 'payment_method')
  if (id === undefined) return undefined
  return work.find<PaymentMethod>('payment_method', id) ?? readyMethod(work, id) ?? noMethod(id, 'payment_method')
}

/** The method that a form must name. */
export const wantedMethod = (work: Work, form: Form): PaymentMethod =>
  namedMethod(work, form) ?? noMethod(text(form, 'payment_method') ?? '', 'payment_method')

const noMethod = (id: string, param: string): never => {
  throw missing('PaymentMethod', id, param)
}

const SPENT =
  'This PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.'

/** @throws StripeError for a method that was used up */
export const mustBeUsable = (method: PaymentMethod): void => {
  if (method.sandbox_only.spent && method.customer === null)
    throw invalid(SPENT, { code: 'payment_method_unexpected_state', param: 'payment_method' })
}

/** @throws StripeError for a method that is not saved at that customer */
export const mustBeOf = (method: PaymentMethod, customer: string, param = 'payment_method'): void => {
  if (method.customer !== customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param },
    )
}

/**
 * Saves a method at a customer.
 * @throws StripeError when the bank refuses the card, or it belongs to somebody else
 */
export const attach = (work: Work, method: PaymentMethod, customer: string, order?: Order): PaymentMethod => {
  if (method.customer === customer) return method
  if (method.customer !== null) throw invalid('The payment method you provided has already been attached to a customer.')
  mustBeUsable(method)
  const conduct = testCard(method.sandbox_only.number)
  if (order === 'decline') throw cardError(declined('generic_decline'), { payment_method: method })
  if (conduct?.refusal !== undefined && conduct.refusedWhenSaved) throw cardError(conduct.refusal, { payment_method: method })
  const attached = work.put({ ...method, customer })
  work.tell('payment_method.attached', attached)
  return attached
}
