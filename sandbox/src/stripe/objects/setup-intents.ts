import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { ApiRequest } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import {
  authenticationAction,
  methodToConfirm,
  type Intent,
  lastError,
  requireAllowedType,
  requireReturnUrl,
  requireStatus,
  type NextAction,
  authenticationFailure,
  declineError,
} from './intents.ts'
import { newId } from '../store/ids.ts'
import { acceptanceOf, createMandate } from './mandates.ts'
import { urlParam, booleanParam, stringParam } from '../api/params.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import { requireUnspent } from '../payment-methods/payment-methods.ts'
import { type Decline, invalidRequest } from '../api/stripe-error.ts'
import { type DebitType, isDebit, testAccount } from '../payment-methods/test-accounts.ts'
import { cardDecline, testCard } from '../payment-methods/test-cards.ts'
import type { StripeSession } from '../store/stripe-session.ts'

export interface SetupIntent extends Intent {
  readonly object: 'setup_intent'
  readonly created: number
  readonly status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  readonly last_setup_error: object | null
  readonly mandate: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly next_action: NextAction | null
  readonly usage: string
  readonly description: string | null
}

/** The fields of a new intent that have fixed values. */
export const SETUP_INTENT_DEFAULTS = {
  object: 'setup_intent',
  application: null,
  cancellation_reason: null,
  flow_directions: null,
  last_setup_error: null,
  latest_attempt: null,
  livemode: false,
  mandate: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  single_use_mandate: null,
} as const

const CONFIRMABLE_STATUSES = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

/**
 * Stores the method for later use, or that the customer has to authenticate or verify.
 * @throws StripeError when the intent cannot be confirmed or the method is declined
 */
export const confirmSetupIntent = ({ sandbox, form, forcedOutcome, hasSecretKey }: ApiRequest, intent: SetupIntent): SetupIntent => {
  requireStatus(intent, 'confirm', CONFIRMABLE_STATUSES)
  urlParam(form, 'return_url')
  const method = methodToConfirm(sandbox, form, intent, hasSecretKey)
  requireAllowedType(intent, method)
  requireUnspent(method)
  if (hasSecretKey) requireReturnUrl(intent, form)
  const confirming = sandbox.put({
    ...intent,
    payment_method: method.id,
    last_setup_error: null,
    next_action: null,
    latest_attempt: newId('setatt'),
  })
  return isDebit(method.type)
    ? setUpDebit(sandbox, form, confirming, method, forcedOutcome)
    : setUpCard(sandbox, form, confirming, method, forcedOutcome)
}

/**
 * Stores the card for later use, or that the customer has to authenticate.
 * @throws StripeError when the card is declined, which is stored before
 */
const setUpCard = (
  sandbox: StripeSession,
  form: Form,
  intent: SetupIntent,
  method: PaymentMethod,
  forcedOutcome: ForcedOutcome | undefined,
): SetupIntent => {
  const cardBehaviour = testCard(method.sandbox_only.number)
  const decline =
    forcedOutcome === 'decline' ? cardDecline('generic_decline') : cardBehaviour?.declinesSetup ? cardBehaviour.decline : undefined
  if (decline !== undefined) throw declineError(decline, failSetup(sandbox, intent, method, decline), method)
  const needsAuthentication =
    cardBehaviour?.authentication === 'unless-set-up' || cardBehaviour?.authentication === 'always' || forcedOutcome === 'action'
  if (!needsAuthentication) return completeSetup(sandbox, intent, method)
  const action = authenticationAction(sandbox, intent, urlParam(form, 'return_url'), booleanParam(form, 'use_stripe_sdk'))
  const waiting = sandbox.put({ ...intent, status: 'requires_action' as const, next_action: action })
  sandbox.emit({ type: 'setup_intent.requires_action', object: waiting })
  return waiting
}

/**
 * Stores the bank account with its mandate for later use; a US account waits for microdeposits.
 * @throws StripeError without a mandate, or when the account is declined
 */
const setUpDebit = (
  sandbox: StripeSession,
  form: Form,
  intent: SetupIntent,
  method: PaymentMethod,
  forcedOutcome: ForcedOutcome | undefined,
): SetupIntent => {
  const acceptance = acceptanceOf(form, sandbox.now)
  if (acceptance === undefined && method.sandbox_only.mandate === undefined)
    throw invalidRequest(
      'This payment method requires customer acceptance of a mandate. Please provide `mandate_data` to confirm this SetupIntent.',
      { code: 'parameter_missing', param: 'mandate_data' },
    )
  const testBehaviour = testAccount(method.type as DebitType, method.sandbox_only.number)
  if (forcedOutcome === 'decline' || testBehaviour.failsSetup) {
    throw declineError(UNUSABLE_ACCOUNT, failSetup(sandbox, intent, method, UNUSABLE_ACCOUNT), method)
  }
  const mandatedMethod = acceptance === undefined ? method : createMandate(sandbox, method, acceptance)
  const intentWithMandate = sandbox.put({ ...intent, mandate: mandatedMethod.sandbox_only.mandate ?? null })
  return method.type === 'us_bank_account'
    ? requestMicrodeposits(sandbox, intentWithMandate)
    : completeSetup(sandbox, intentWithMandate, mandatedMethod)
}

export const UNUSABLE_ACCOUNT: Decline = {
  code: 'bank_account_unusable',
  message: 'This bank account cannot be debited. Please use another one.',
}

const DAY_S = 86_400

/** Stores that the customer has to verify two small deposits, and queues the event. */
const requestMicrodeposits = (sandbox: StripeSession, intent: SetupIntent): SetupIntent => {
  const waiting = sandbox.put({
    ...intent,
    status: 'requires_action' as const,
    next_action: {
      type: 'verify_with_microdeposits' as const,
      verify_with_microdeposits: {
        arrival_date: sandbox.now + 2 * DAY_S,
        hosted_verification_url: `${sandbox.context.baseUrl}/microdeposit/${intent.client_secret}`,
        microdeposit_type: 'amounts',
      },
    },
  })
  sandbox.emit({ type: 'setup_intent.requires_action', object: waiting })
  return waiting
}

/** Stores the method, attached to the intent's customer if there is one, and the intent as succeeded, and queues the events. */
export const completeSetup = (sandbox: StripeSession, intent: SetupIntent, method: PaymentMethod): SetupIntent => {
  const savedMethod = sandbox.put({
    ...method,
    customer: intent.customer ?? method.customer,
    sandbox_only: { ...method.sandbox_only, setUp: true },
  })
  if (savedMethod.customer !== method.customer) sandbox.emit({ type: 'payment_method.attached', object: savedMethod })
  const succeeded = sandbox.put({ ...intent, status: 'succeeded' as const, next_action: null, payment_method: savedMethod.id })
  sandbox.emit({ type: 'setup_intent.succeeded', object: succeeded })
  return succeeded
}

/** Stores the intent as waiting for another method, with the decline as its last error, and queues the event. */
const failSetup = (sandbox: StripeSession, intent: SetupIntent, method: PaymentMethod, decline: Decline): SetupIntent => {
  const failed = sandbox.put({
    ...intent,
    status: 'requires_payment_method' as const,
    next_action: null,
    payment_method: null,
    last_setup_error: lastError(decline, method),
  })
  sandbox.emit({ type: 'setup_intent.setup_failed', object: failed })
  return failed
}

/** Completes the setup after the customer has authenticated, or stores that it failed. Nothing is thrown. */
export const finishSetupAuthentication = (sandbox: StripeSession, intent: SetupIntent, isAuthenticated: boolean): SetupIntent => {
  const method = sandbox.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  return isAuthenticated ? completeSetup(sandbox, intent, method) : failSetup(sandbox, intent, method, authenticationFailure(intent))
}

/**
 * Compares the amounts or the descriptor code with Stripe's test values, and completes the setup.
 * @throws StripeError when the verification fails; some test values end the setup
 */
export const verifyMicrodeposits = (sandbox: StripeSession, form: Form, intent: SetupIntent): SetupIntent => {
  if (intent.next_action?.type !== 'verify_with_microdeposits')
    throw invalidRequest('This SetupIntent does not wait for microdeposits to be verified.', {
      code: 'setup_intent_unexpected_state',
      setup_intent: intent,
    })
  const method = sandbox.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  const amounts = Array.isArray(form['amounts']) ? form['amounts'].map(String).toSorted().join('+') : ''
  const answer = stringParam(form, 'descriptor_code') ?? amounts
  if (answer === '32+45' || answer === 'SM11AA') return completeSetup(sandbox, intent, method)
  if (answer === '10+11' || answer === 'SM33CC' || answer === '40+41' || answer === 'SM44DD') {
    const [code, message] = answer === '10+11' || answer === 'SM33CC' ? ATTEMPTS_EXCEEDED : TIMED_OUT
    const failed = failSetup(sandbox, intent, method, { code, message })
    throw invalidRequest(message, { code, setup_intent: failed })
  }
  throw invalidRequest('The amounts provided do not match the amounts that were sent to the bank account.', {
    code: 'payment_method_microdeposit_verification_amounts_mismatch',
    setup_intent: intent,
  })
}

const ATTEMPTS_EXCEEDED = [
  'payment_method_microdeposit_verification_attempts_exceeded',
  'You have exceeded the number of allowed verification attempts.',
] as const
const TIMED_OUT = ['payment_method_microdeposit_verification_timeout', 'Microdeposit verification timed out.'] as const
