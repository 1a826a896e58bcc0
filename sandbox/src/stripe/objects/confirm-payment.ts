import type { ApiRequest } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import {
  authenticationAction,
  methodToConfirm,
  requireAllowedType,
  requireReturnUrl,
  requireStatus,
  authenticationFailure,
  declineError,
} from './intents.ts'
import { acceptanceOf, createMandate, type Mandate } from './mandates.ts'
import { urlParam, booleanParam, stringParam } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import { requireAttachedTo, requireUnspent } from '../payment-methods/payment-methods.ts'
import { processPayment, failPayment } from './payment-processing.ts'
import { cardError, invalidRequest } from '../api/stripe-error.ts'
import { DEBIT_CURRENCIES, isDebit } from '../payment-methods/test-accounts.ts'
import { cardDecline, testCard } from '../payment-methods/test-cards.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const CONFIRMABLE_STATUSES = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

/**
 * Charges the method, or stores that the customer has to authenticate; a failed charge is stored before the error.
 * @throws StripeError when the intent cannot be confirmed or the bank declines
 */
export const confirmPayment = ({ sandbox, form, forcedOutcome, hasSecretKey }: ApiRequest, intent: PaymentIntent): PaymentIntent => {
  requireConfirmable(intent)
  const returnUrl = urlParam(form, 'return_url')
  const unmandatedMethod = methodToConfirm(sandbox, form, intent, hasSecretKey)
  requireAllowedType(intent, unmandatedMethod)
  requireMatchingCurrency(intent, unmandatedMethod)
  requireUsableByCustomer(intent, unmandatedMethod)
  if (hasSecretKey) requireReturnUrl(intent, form)
  const method = isDebit(unmandatedMethod.type) ? withMandate(sandbox, form, unmandatedMethod) : unmandatedMethod
  const confirming = sandbox.put({ ...intent, payment_method: method.id, last_payment_error: null, next_action: null })
  const isActionForced = forcedOutcome === 'action' || forcedOutcome === 'script-action'
  if (!isActionForced && (isDebit(method.type) || confirming.sandbox_only.authenticated || !needsAuthentication(method, form)))
    return chargeOrThrow(sandbox, confirming, method, forcedOutcome)
  if (isOffSession(form)) return declineOffSession(sandbox, confirming, method)
  if (booleanParam(form, 'error_on_requires_action')) throw declineWithoutAction(sandbox, confirming, method)
  const usesScript = booleanParam(form, 'use_stripe_sdk') || forcedOutcome === 'script-action'
  const action = authenticationAction(sandbox, confirming, returnUrl, usesScript)
  const waiting = sandbox.put({ ...confirming, status: 'requires_action' as const, next_action: action })
  sandbox.emit({ type: 'payment_intent.requires_action', object: waiting })
  return waiting
}

/** Charges the method. @throws StripeError when the bank declines, after the failed charge is stored */
const chargeOrThrow = (
  sandbox: StripeSession,
  intent: PaymentIntent,
  method: PaymentMethod,
  forcedOutcome: ApiRequest['forcedOutcome'],
): PaymentIntent => {
  const { intent: after, decline } = processPayment(sandbox, intent, method, forcedOutcome)
  if (decline !== undefined) throw declineError(decline, after, method, after.latest_charge ?? undefined)
  return after
}

/** Whether a test card asks for 3-D Secure in this confirmation. */
const needsAuthentication = ({ sandbox_only }: PaymentMethod, form: Form): boolean => {
  const authentication = testCard(sandbox_only.number)?.authentication ?? 'never'
  if (authentication === 'unless-set-up') return !(sandbox_only.setUp && isOffSession(form))
  return authentication === 'always' || (authentication === 'on-session' && !isOffSession(form))
}

/** Whether the customer is absent: `off_session` is `true` or the kind of payment. */
const isOffSession = (form: Form): boolean => ['true', 'one_off', 'recurring'].includes(stringParam(form, 'off_session') ?? '')

const OFF_SESSION_DECLINE = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Stores a failed charge. @throws StripeError, because the customer who would have to authenticate is absent */
const declineOffSession = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): never => {
  const after = failPayment(sandbox, intent, method, OFF_SESSION_DECLINE)
  throw declineError(OFF_SESSION_DECLINE, after, method, after.latest_charge ?? undefined)
}

/** Stores a failed charge, and returns the error for the caller to throw: authentication was needed but not wanted. */
const declineWithoutAction = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod) => {
  const message =
    "This payment required an authentication action to complete, but `error_on_requires_action` was set. When you're ready, you can upgrade your integration to handle actions at https://stripe.com/docs/payments/payment-intents/upgrade-to-handle-actions."
  const after = failPayment(sandbox, intent, method, { ...cardDecline('authentication_not_handled', message) })
  return cardError(cardDecline('authentication_not_handled', message), { payment_intent: after, payment_method: method })
}

/** @throws StripeError when the intent has succeeded or its status does not allow a confirmation */
const requireConfirmable = (intent: PaymentIntent): void => {
  if (intent.status === 'succeeded')
    throw invalidRequest('You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })
  requireStatus(intent, 'confirm', CONFIRMABLE_STATUSES)
}

/** @throws StripeError when a debit type does not have the intent's currency */
const requireMatchingCurrency = ({ currency }: PaymentIntent, { type }: PaymentMethod): void => {
  if (isDebit(type) && DEBIT_CURRENCIES[type] !== currency)
    throw invalidRequest(
      `The currency provided (${currency}) is invalid for one or more payment method types on this PaymentIntent. Payments with ${type} support the following currencies: ${DEBIT_CURRENCIES[type]}.`,
      {
        code: 'payment_intent_invalid_parameter',
        param: 'currency',
      },
    )
}

/** @throws StripeError when the method was spent, is another customer's, or a customer's and the intent has none */
const requireUsableByCustomer = ({ customer }: Pick<PaymentIntent, 'customer'>, method: PaymentMethod): void => {
  requireUnspent(method)
  if (method.customer === null) return
  if (customer === null)
    throw invalidRequest(
      `The PaymentMethod you provided (${method.id}) belongs to a Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      { code: 'payment_method_customer_decline', param: 'customer' },
    )
  requireAttachedTo(method, customer)
}

/**
 * The method of a debit with its mandate: a new one when the form has an acceptance, else the active one of the method.
 * @throws StripeError without an active mandate
 */
const withMandate = (sandbox: StripeSession, form: Form, method: PaymentMethod): PaymentMethod => {
  const acceptance = acceptanceOf(form, sandbox.now)
  if (acceptance !== undefined) return createMandate(sandbox, method, acceptance)
  const id = stringParam(form, 'mandate') ?? method.sandbox_only.mandate
  if (id === undefined)
    throw invalidRequest(
      'This payment method requires customer acceptance of a mandate. Please provide `mandate_data` to confirm this PaymentIntent.',
      {
        code: 'parameter_missing',
        param: 'mandate_data',
      },
    )
  const mandate = sandbox.get<Mandate>('mandate', id, 'mandate')
  if (mandate.status !== 'active' || mandate.payment_method !== method.id)
    throw invalidRequest('The mandate of this PaymentMethod is not active. Ask the customer to set up the payment method again.', {
      code: 'payment_intent_mandate_invalid',
      param: 'mandate',
    })
  return method
}

/**
 * Charges the method after the customer has authenticated, or stores a failed charge; with manual confirmation the intent waits for that
 * instead.
 */
export const finishPaymentAuthentication = (sandbox: StripeSession, intent: PaymentIntent, isAuthenticated: boolean): PaymentIntent => {
  const method = sandbox.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  if (!isAuthenticated) return failPayment(sandbox, intent, method, authenticationFailure(intent))
  const authenticated = sandbox.put({ ...intent, next_action: null, sandbox_only: { ...intent.sandbox_only, authenticated: true } })
  if (intent.confirmation_method === 'manual') return sandbox.put({ ...authenticated, status: 'requires_confirmation' as const })
  return processPayment(sandbox, authenticated, method, undefined).intent
}
