import type { Fault } from '../../faults/faults.ts'
import type { ApiResponse } from './idempotency.ts'
import { bankPageUrl, type Intent } from '../objects/intents.ts'
import { errorBody } from './stripe-error.ts'
import { cardDecline } from '../payment-methods/test-cards.ts'
import type { SessionContext } from '../store/stripe-session.ts'

interface TamperContext extends Pick<SessionContext, 'account' | 'baseUrl'> {
  /** Where the customer returns to after authentication. */
  readonly returnUrl?: string | undefined
}

type Fields = Record<string, unknown>

const WRONG_AMOUNT_OFFSET = 100

/**
 * The response with the fault's false claim: a wrong amount; of a booked request a decline or a required action that does not exist. Else
 * unchanged.
 */
export const tamperResponse = (response: ApiResponse, fault: Fault, context: TamperContext): ApiResponse => {
  if (fault.kind === 'wrong-amount') return withWrongAmount(response)
  if (!fault.booked || response.status !== 200) return response
  if (fault.kind === 'decline') return toDeclined(response)
  return fault.kind === 'action' ? toActionRequired(response, context) : response
}

/** The response with larger amounts, and with success instead of a failed or declined payment. */
const withWrongAmount = ({ text }: ApiResponse): ApiResponse => {
  const body = JSON.parse(text) as { error?: { payment_intent?: Fields } } & Fields
  const object = body.error === undefined ? body : (body.error.payment_intent ?? body)
  const received = 'amount_received' in object ? { amount_received: object['amount'] } : {}
  const success =
    'status' in object && ['requires_payment_method', 'failed'].includes(String(object['status']))
      ? { ...received, status: 'succeeded', last_payment_error: null }
      : {}
  return { status: 200, text: JSON.stringify(increaseAmounts({ ...object, ...success }), null, 2) }
}

/** The value with every number above zero in a field named `amount…` larger by WRONG_AMOUNT_OFFSET, at any depth. */
const increaseAmounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(increaseAmounts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name.startsWith('amount') && typeof inner === 'number' && inner > 0 ? inner + WRONG_AMOUNT_OFFSET : increaseAmounts(inner),
    ]),
  )
}

/** A response that says that the card was declined. */
const toDeclined = ({ text }: ApiResponse): ApiResponse => {
  const object = JSON.parse(text) as Fields
  const intent =
    object['object'] === 'payment_intent' || object['object'] === 'setup_intent'
      ? { [object['object']]: { ...object, status: 'requires_payment_method' } }
      : {}
  return { status: 402, text: JSON.stringify(errorBody({ type: 'card_error', ...cardDecline('generic_decline'), ...intent }), null, 2) }
}

/** A response that sends the customer of an intent to the bank's page; one about any other object stays what it is. */
const toActionRequired = ({ text }: ApiResponse, context: TamperContext): ApiResponse => {
  const { returnUrl = null } = context
  const intent = JSON.parse(text) as Fields & Partial<Intent>
  const { object, id = '', client_secret = '' } = intent
  if (object !== 'payment_intent' && object !== 'setup_intent') return { status: 200, text }
  const url = bankPageUrl(context, { object, id, client_secret })
  if (returnUrl !== null) url.searchParams.set('return_url', returnUrl)
  const next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: url.href } }
  return { status: 200, text: JSON.stringify({ ...intent, status: 'requires_action', amount_received: 0, next_action }, null, 2) }
}
