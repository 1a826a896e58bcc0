import type { Call } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import { authenticationStep, chosenMethod, mustFit, mustSayWhereto, mustStand, notAuthenticated, refusalAnswer } from './intents.ts'
import { acceptanceIn, giveMandate, type Mandate } from './mandates.ts'
import { address, flag, text } from '../api/params.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentMethod } from './payment-methods/payment-method.ts'
import { mustBeOf, mustBeUsable } from './payment-methods/payment-methods.ts'
import { carryOut, refuse } from './payment-processing.ts'
import { cardError, invalid } from '../api/stripe-error.ts'
import { DEBITS, isDebit } from './payment-methods/test-accounts.ts'
import { declined, testCard } from './payment-methods/test-cards.ts'
import type { Work } from '../store/sandbox-session.ts'

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

/** Takes the money, or asks the customer to prove who they are, or says why not. */
export const confirmPayment = ({ work, form, order, secret }: Call, intent: PaymentIntent): PaymentIntent => {
  mustNotBeDone(intent)
  const returnUrl = address(form, 'return_url')
  const chosen = chosenMethod(work, form, intent, secret)
  mustFit(intent, chosen)
  mustFitCurrency(intent, chosen)
  mustBelong(intent, chosen)
  if (secret) mustSayWhereto(intent, form)
  const method = isDebit(chosen.type) ? mandated(work, form, chosen) : chosen
  const begun = work.put({ ...intent, payment_method: method.id, last_payment_error: null, next_action: null })
  if (order !== 'action' && (isDebit(method.type) || begun.sandbox_only.authenticated || !asks(method, form)))
    return now(work, begun, method, order)
  if (isAway(form)) return offSession(work, begun, method)
  if (flag(form, 'error_on_requires_action')) throw cannotAsk(work, begun, method)
  const action = authenticationStep(work, begun, returnUrl, flag(form, 'use_stripe_sdk'))
  const waiting = work.put({ ...begun, status: 'requires_action' as const, next_action: action })
  work.tell('payment_intent.requires_action', waiting)
  return waiting
}

const now = (work: Work, intent: PaymentIntent, method: PaymentMethod, order: Call['order']): PaymentIntent => {
  const { intent: after, refusal } = carryOut(work, intent, method, order)
  if (refusal !== undefined) throw refusalAnswer(refusal, after, method, after.latest_charge ?? undefined)
  return after
}

const asks = ({ sandbox_only }: PaymentMethod, form: Form): boolean => {
  const authentication = testCard(sandbox_only.number)?.authentication ?? 'never'
  if (authentication === 'unless-set-up') return !(sandbox_only.setUp && isAway(form))
  return authentication === 'always' || (authentication === 'on-session' && !isAway(form))
}

/** The customer is not there: said as yes, or as the kind of payment that it is. */
const isAway = (form: Form): boolean => ['true', 'one_off', 'recurring'].includes(text(form, 'off_session') ?? '')

const NOT_PRESENT = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

const offSession = (work: Work, intent: PaymentIntent, method: PaymentMethod): never => {
  const after = refuse(work, intent, method, NOT_PRESENT)
  throw refusalAnswer(NOT_PRESENT, after, method, after.latest_charge ?? undefined)
}

const cannotAsk = (work: Work, intent: PaymentIntent, method: PaymentMethod) => {
  const message =
    "This payment required an authentication action to complete, but `error_on_requires_action` was set. When you're ready, you can upgrade your integration to handle actions at https://stripe.com/docs/payments/payment-intents/upgrade-to-handle-actions."
  const after = refuse(work, intent, method, { ...declined('authentication_not_handled', message) })
  return cardError(declined('authentication_not_handled', message), { payment_intent: after, payment_method: method })
}

const mustNotBeDone = (intent: PaymentIntent): void => {
  if (intent.status === 'succeeded')
    throw invalid('You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })
  mustStand(intent, 'confirm', CONFIRMABLE)
}

const mustFitCurrency = ({ currency }: PaymentIntent, { type }: PaymentMethod): void => {
  if (isDebit(type) && DEBITS[type] !== currency)
    throw invalid(
      `The currency provided (${currency}) is invalid for one or more payment method types on this PaymentIntent. Payments with ${type} support the following currencies: ${DEBITS[type]}.`,
      {
        code: 'payment_intent_invalid_parameter',
        param: 'currency',
      },
    )
}

/** @throws StripeError when the method is saved elsewhere, or was used up */
const mustBelong = ({ customer }: Pick<PaymentIntent, 'customer'>, method: PaymentMethod): void => {
  mustBeUsable(method)
  if (method.customer === null) return
  if (customer === null)
    throw invalid(
      `The PaymentMethod you provided (${method.id}) belongs to a Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      { code: 'payment_method_customer_decline', param: 'customer' },
    )
  mustBeOf(method, customer)
}

const mandated = (work: Work, form: Form, method: PaymentMethod): PaymentMethod => {
  const acceptance = acceptanceIn(form, work.now)
  if (acceptance !== undefined) return giveMandate(work, method, acceptance)
  const id = text(form, 'mandate') ?? method.sandbox_only.mandate
  if (id === undefined)
    throw invalid(
      'This payment method requires customer acceptance of a mandate. Please provide `mandate_data` to confirm this PaymentIntent.',
      {
        code: 'parameter_missing',
        param: 'mandate_data',
      },
    )
  const mandate = work.get<Mandate>('mandate', id, 'mandate')
  if (mandate.status !== 'active' || mandate.payment_method !== method.id)
    throw invalid('The mandate of this PaymentMethod is not active. Ask the customer to set up the payment method again.', {
      code: 'payment_intent_mandate_invalid',
      param: 'mandate',
    })
  return method
}

/** What becomes of an intent whose customer came back from the bank's page. */
export const paymentAuthenticated = (work: Work, intent: PaymentIntent, proven: boolean): PaymentIntent => {
  const method = work.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  if (!proven) return refuse(work, intent, method, notAuthenticated(intent))
  const authenticated = work.put({ ...intent, next_action: null, sandbox_only: { ...intent.sandbox_only, authenticated: true } })
  if (intent.confirmation_method === 'manual') return work.put({ ...authenticated, status: 'requires_confirmation' as const })
  return carryOut(work, authenticated, method, undefined).intent
}
