import type { Call, Order } from '../api/endpoint.ts'
import type { Form } from '../api/form.ts'
import {
  authenticationStep,
  chosenMethod,
  type Intent,
  lastError,
  mustFit,
  mustSayWhereto,
  mustStand,
  type NextAction,
  notAuthenticated,
  refusalAnswer,
} from './intents.ts'
import { newId } from '../store/ids.ts'
import { acceptanceIn, giveMandate } from './mandates.ts'
import { address, flag, text } from '../api/params.ts'
import type { PaymentMethod } from './payment-methods/payment-method.ts'
import { mustBeUsable } from './payment-methods/payment-methods.ts'
import { type CardRefusal, invalid } from '../api/stripe-error.ts'
import { type DebitType, isDebit, testAccount } from './payment-methods/test-accounts.ts'
import { declined, testCard } from './payment-methods/test-cards.ts'
import type { Work } from '../store/sandbox-session.ts'

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

/** What a new intent has not yet. */
export const BLANK_SETUP = {
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

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

/** Saves the method, or asks the customer to prove who they are, or says why not. */
export const confirmSetup = ({ work, form, order, secret }: Call, intent: SetupIntent): SetupIntent => {
  mustStand(intent, 'confirm', CONFIRMABLE)
  address(form, 'return_url')
  const method = chosenMethod(work, form, intent, secret)
  mustFit(intent, method)
  mustBeUsable(method)
  if (secret) mustSayWhereto(intent, form)
  const begun = work.put({
    ...intent,
    payment_method: method.id,
    last_setup_error: null,
    next_action: null,
    latest_attempt: newId('setatt'),
  })
  return isDebit(method.type) ? setUpDebit(work, form, begun, method, order) : setUpCard(work, form, begun, method, order)
}

const setUpCard = (work: Work, form: Form, intent: SetupIntent, method: PaymentMethod, order: Order | undefined): SetupIntent => {
  const conduct = testCard(method.sandbox_only.number)
  const refusal = order === 'decline' ? declined('generic_decline') : conduct?.refusedWhenSaved ? conduct.refusal : undefined
  if (refusal !== undefined) throw refusalAnswer(refusal, refused(work, intent, method, refusal), method)
  const asks = conduct?.authentication === 'unless-set-up' || conduct?.authentication === 'always' || order === 'action'
  if (!asks) return saved(work, intent, method)
  const action = authenticationStep(work, intent, address(form, 'return_url'), flag(form, 'use_stripe_sdk'))
  const waiting = work.put({ ...intent, status: 'requires_action' as const, next_action: action })
  work.tell('setup_intent.requires_action', waiting)
  return waiting
}

const setUpDebit = (work: Work, form: Form, intent: SetupIntent, method: PaymentMethod, order: Order | undefined): SetupIntent => {
  const acceptance = acceptanceIn(form, work.now)
  if (acceptance === undefined && method.sandbox_only.mandate === undefined)
    throw invalid(
      'This payment method requires customer acceptance of a mandate. Please provide `mandate_data` to confirm this SetupIntent.',
      { code: 'parameter_missing', param: 'mandate_data' },
    )
  const account = testAccount(method.type as DebitType, method.sandbox_only.number)
  if (order === 'decline' || account.notSaved) {
    throw refusalAnswer(UNUSABLE, refused(work, intent, method, UNUSABLE), method)
  }
  const agreed = acceptance === undefined ? method : giveMandate(work, method, acceptance)
  const mandated = work.put({ ...intent, mandate: agreed.sandbox_only.mandate ?? null })
  return method.type === 'us_bank_account' ? askForDeposits(work, mandated) : saved(work, mandated, agreed)
}

/** An account that cannot be debited. */
export const UNUSABLE: CardRefusal = {
  code: 'bank_account_unusable',
  message: 'This bank account cannot be debited. Please use another one.',
}

const DAY = 86_400

const askForDeposits = (work: Work, intent: SetupIntent): SetupIntent => {
  const waiting = work.put({
    ...intent,
    status: 'requires_action' as const,
    next_action: {
      type: 'verify_with_microdeposits' as const,
      verify_with_microdeposits: {
        arrival_date: work.now + 2 * DAY,
        hosted_verification_url: `${work.setting.base}/microdeposit/${intent.client_secret}`,
        microdeposit_type: 'amounts',
      },
    },
  })
  work.tell('setup_intent.requires_action', waiting)
  return waiting
}

/** The method is saved, at the intent's customer when it has one. */
export const saved = (work: Work, intent: SetupIntent, method: PaymentMethod): SetupIntent => {
  const kept = work.put({ ...method, customer: intent.customer ?? method.customer, sandbox_only: { ...method.sandbox_only, setUp: true } })
  if (kept.customer !== method.customer) work.tell('payment_method.attached', kept)
  const done = work.put({ ...intent, status: 'succeeded' as const, next_action: null, payment_method: kept.id })
  work.tell('setup_intent.succeeded', done)
  return done
}

const refused = (work: Work, intent: SetupIntent, method: PaymentMethod, refusal: CardRefusal): SetupIntent => {
  const failed = work.put({
    ...intent,
    status: 'requires_payment_method' as const,
    next_action: null,
    payment_method: null,
    last_setup_error: lastError(refusal, method),
  })
  work.tell('setup_intent.setup_failed', failed)
  return failed
}

/** What becomes of an intent whose customer came back from the bank's page. */
export const setupAuthenticated = (work: Work, intent: SetupIntent, proven: boolean): SetupIntent => {
  const method = work.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  return proven ? saved(work, intent, method) : refused(work, intent, method, notAuthenticated(intent))
}

/** The outcome of the two small deposits, as Stripe's test amounts and codes say it. */
export const depositsVerified = (work: Work, form: Form, intent: SetupIntent): SetupIntent => {
  if (intent.next_action?.type !== 'verify_with_microdeposits')
    throw invalid('This SetupIntent does not wait for microdeposits to be verified.', {
      code: 'setup_intent_unexpected_state',
      setup_intent: intent,
    })
  const method = work.get<PaymentMethod>('payment_method', intent.payment_method ?? '')
  const amounts = Array.isArray(form['amounts']) ? form['amounts'].map(String).toSorted().join('+') : ''
  const said = text(form, 'descriptor_code') ?? amounts
  if (said === '32+45' || said === 'SM11AA') return saved(work, intent, method)
  if (said === '10+11' || said === 'SM33CC' || said === '40+41' || said === 'SM44DD') {
    const [code, message] = said === '10+11' || said === 'SM33CC' ? EXCEEDED : TIMED_OUT
    const failed = refused(work, intent, method, { code, message })
    throw invalid(message, { code, setup_intent: failed })
  }
  throw invalid('The amounts provided do not match the amounts that were sent to the bank account.', {
    code: 'payment_method_microdeposit_verification_amounts_mismatch',
    setup_intent: intent,
  })
}

const EXCEEDED = [
  'payment_method_microdeposit_verification_attempts_exceeded',
  'You have exceeded the number of allowed verification attempts.',
] as const
const TIMED_OUT = ['payment_method_microdeposit_verification_timeout', 'Microdeposit verification timed out.'] as const
