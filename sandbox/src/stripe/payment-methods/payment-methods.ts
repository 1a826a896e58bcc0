import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { Form } from '../api/form.ts'
import { newId } from '../store/ids.ts'
import { parseCard, presetCard } from './cards.ts'
import { parseBankAccount, presetBankAccount } from './bank-accounts.ts'
import { objectParam, metadataParam, enumParam, stringParam, stringOrNullParam } from '../api/params.ts'
import { type BillingDetails, type MethodSecrets, type MethodType, type PaymentMethod, METHOD_TYPES } from './payment-method.ts'
import { cardError, invalidRequest, notFound } from '../api/stripe-error.ts'
import { isDebit } from './test-accounts.ts'
import { cardDecline, testCard } from './test-cards.ts'
import { redeemToken } from './tokens.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const ADDRESS_FIELDS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const

/** The billing details `before` with the changes of the form; a field that the form leaves out stays, an empty one becomes null. */
export const billingDetails = (form: Form, before?: BillingDetails): BillingDetails => {
  const details = objectParam(form, 'billing_details') ?? {}
  const address = objectParam(details, 'address') ?? {}
  const ownerField = (name: 'email' | 'name' | 'phone') =>
    details[name] === undefined ? (before?.[name] ?? null) : stringOrNullParam(details, name)
  return {
    address: Object.fromEntries(
      ADDRESS_FIELDS.map((name) => [
        name,
        address[name] === undefined ? (before?.address[name] ?? null) : stringOrNullParam(address, name),
      ]),
    ),
    email: ownerField('email'),
    name: ownerField('name'),
    phone: ownerField('phone'),
    tax_id: null,
  }
}

/** Stores a new method without a customer. */
const storeMethod = (
  sandbox: StripeSession,
  form: Form,
  method: { readonly type: MethodType; readonly secrets: MethodSecrets; readonly shown: object },
): PaymentMethod =>
  sandbox.put({
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: enumParam(form, 'allow_redisplay', ['always', 'limited', 'unspecified']) ?? 'unspecified',
    billing_details: billingDetails(form),
    created: sandbox.now,
    customer: null,
    livemode: false,
    metadata: metadataParam(form),
    type: method.type,
    [method.type]: method.shown,
    sandbox_only: method.secrets,
  } as PaymentMethod)

/**
 * Stores a new method of what the customer entered, without a customer; a card's token is used up.
 * @throws StripeError when a number, a date or a name is wrong
 */
export const newMethod = (sandbox: StripeSession, form: Form, hasSecretKey: boolean): PaymentMethod => {
  const type = enumParam(form, 'type', METHOD_TYPES)
  if (type === undefined) throw invalidRequest('Missing required param: type.', { code: 'parameter_missing', param: 'type' })
  const typed = objectParam(form, type)
  if (typed === undefined) throw invalidRequest(`Missing required param: ${type}.`, { code: 'parameter_missing', param: type })
  if (isDebit(type)) return storeMethod(sandbox, form, { type, ...parseBankAccount(type, typed, billingDetails(form)) })
  return storeMethod(sandbox, form, {
    type,
    ...(redeemToken(sandbox, stringParam(typed, 'token') ?? '') ?? parseCard(typed, sandbox.now, hasSecretKey)),
  })
}

/** Stores a new method like a predefined one such as `pm_card_visa`; undefined for any other id. */
export const newPresetMethod = (sandbox: StripeSession, id: string): PaymentMethod | undefined => {
  const card = presetCard(id, sandbox.now)
  if (card !== undefined) return storeMethod(sandbox, {}, card)
  const bankAccount = presetBankAccount(id)
  if (bankAccount === undefined) return undefined
  const owner: Form = { billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' } }
  return storeMethod(sandbox, owner, bankAccount)
}

/**
 * The method in the parameter `payment_method`, which is stored when predefined; undefined when absent.
 * @throws StripeError when the method does not exist
 */
export const methodParam = (sandbox: StripeSession, form: Form): PaymentMethod | undefined => {
  const id = stringParam(form, 'payment_method')
  if (id === undefined) return undefined
  return sandbox.find<PaymentMethod>('payment_method', id) ?? newPresetMethod(sandbox, id) ?? throwNoMethod(id, 'payment_method')
}

/**
 * The method in the parameter `payment_method`, which is stored when predefined.
 * @throws StripeError when the parameter is absent or the method does not exist
 */
export const requiredMethodParam = (sandbox: StripeSession, form: Form): PaymentMethod =>
  methodParam(sandbox, form) ?? throwNoMethod(stringParam(form, 'payment_method') ?? '', 'payment_method')

/** @throws StripeError for an unknown method */
const throwNoMethod = (id: string, param: string): never => {
  throw notFound('PaymentMethod', id, param)
}

const SPENT_METHOD_MESSAGE =
  'This PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.'

/** @throws StripeError when the method was used without a customer, or detached */
export const requireUnspent = (method: PaymentMethod): void => {
  if (method.sandbox_only.spent && method.customer === null)
    throw invalidRequest(SPENT_METHOD_MESSAGE, { code: 'payment_method_unexpected_state', param: 'payment_method' })
}

/** @throws StripeError when the method is not attached to the customer */
export const requireAttachedTo = (method: PaymentMethod, customer: string, param = 'payment_method'): void => {
  if (method.customer !== customer)
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param },
    )
}

/**
 * Stores the method as the customer's and queues the event; unchanged when it is so already.
 * @throws StripeError when the bank declines the card, or the method is another customer's or spent
 */
export const attachMethod = (
  sandbox: StripeSession,
  method: PaymentMethod,
  customer: string,
  forcedOutcome?: ForcedOutcome,
): PaymentMethod => {
  if (method.customer === customer) return method
  if (method.customer !== null) throw invalidRequest('The payment method you provided has already been attached to a customer.')
  requireUnspent(method)
  const cardBehaviour = testCard(method.sandbox_only.number)
  if (forcedOutcome === 'decline') throw cardError(cardDecline('generic_decline'), { payment_method: method })
  if (cardBehaviour?.decline !== undefined && cardBehaviour.declinesSetup)
    throw cardError(cardBehaviour.decline, { payment_method: method })
  const attached = sandbox.put({ ...method, customer })
  sandbox.emit({ type: 'payment_method.attached', object: attached })
  return attached
}
