import type { Fault } from '../../faults/faults.ts'
import type { Answer } from './idempotency.ts'
import { bankPage, type Intent } from '../objects/intents.ts'
import { errorAnswer } from './stripe-error.ts'
import { declined } from '../objects/payment-methods/test-cards.ts'
import type { Setting } from '../store/sandbox-session.ts'

interface Place extends Pick<Setting, 'account' | 'base'> {
  /** Where the customer wants to come back to. */
  readonly returnUrl?: string | undefined
}

type Fields = Record<string, unknown>

const OFF_BY = 100

/** An answer that does not tell the truth: of another amount, of a refusal that was none, of a question that nobody asks. */
export const doctored = (answer: Answer, fault: Fault, setting: Place): Answer => {
  if (fault.kind === 'wrong-amount') return wrongAmount(answer)
  if (!fault.booked || answer.status !== 200) return answer
  if (fault.kind === 'decline') return refusal(answer)
  return fault.kind === 'action' ? question(answer, setting) : answer
}

const wrongAmount = ({ text }: Answer): Answer => {
  const body = JSON.parse(text) as { error?: { payment_intent?: Fields } } & Fields
  const told = body.error === undefined ? body : (body.error.payment_intent ?? body)
  const paid = 'amount_received' in told ? { amount_received: told['amount'] } : {}
  const said =
    'status' in told && ['requires_payment_method', 'failed'].includes(String(told['status']))
      ? { ...paid, status: 'succeeded', last_payment_error: null }
      : {}
  return { status: 200, text: JSON.stringify(offBy({ ...told, ...said }), null, 2) }
}

const offBy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(offBy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name.startsWith('amount') && typeof inner === 'number' && inner > 0 ? inner + OFF_BY : offBy(inner),
    ]),
  )
}

const refusal = ({ text }: Answer): Answer => {
  const told = JSON.parse(text) as Fields
  const intent =
    told['object'] === 'payment_intent' || told['object'] === 'setup_intent'
      ? { [told['object']]: { ...told, status: 'requires_payment_method' } }
      : {}
  return { status: 402, text: JSON.stringify(errorAnswer({ type: 'card_error', ...declined('generic_decline'), ...intent }), null, 2) }
}

const question = ({ text }: Answer, setting: Place): Answer => {
  const { returnUrl = null } = setting
  const told = JSON.parse(text) as Fields & Partial<Intent>
  const { object, id = '', client_secret = '' } = told
  if (object !== 'payment_intent' && object !== 'setup_intent') return { status: 200, text }
  const url = bankPage(setting, { object, id, client_secret })
  if (returnUrl !== null) url.searchParams.set('return_url', returnUrl)
  const next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: url.href } }
  return { status: 200, text: JSON.stringify({ ...told, status: 'requires_action', amount_received: 0, next_action }, null, 2) }
}
