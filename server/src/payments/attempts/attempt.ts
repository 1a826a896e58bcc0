import type { PaymentState } from '../providers/charge-result.ts'

/** Where an attempt to move money stands (docs/payments.md). */
export type AttemptStatus = PaymentState | 'created' | 'submitting' | 'manual' | 'expired' | 'refunded' | 'reversed'

/**
 * Every allowed transition. The provider’s explicit yes is accepted however late it comes, so every status in which no money seemed to have
 * moved leads to `succeeded`; only the provider’s word that money went back leads away from there. What had gone back in full before it was
 * known is `reversed` at once.
 */
const TRANSITIONS: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  created: ['submitting', 'not_sent'],
  submitting: ['succeeded', 'declined', 'not_sent', 'requires_action', 'processing', 'unknown', 'expired', 'reversed'],
  requires_action: ['succeeded', 'declined', 'processing', 'expired', 'manual', 'reversed'],
  processing: ['succeeded', 'declined', 'expired', 'manual', 'reversed'],
  unknown: ['succeeded', 'declined', 'not_sent', 'requires_action', 'processing', 'expired', 'manual', 'reversed'],
  manual: ['succeeded', 'declined', 'not_sent', 'processing', 'expired', 'reversed'],
  succeeded: ['refunded', 'reversed'],
  refunded: ['reversed', 'succeeded'],
  reversed: ['succeeded', 'refunded'],
  declined: ['succeeded'],
  not_sent: ['succeeded'],
  expired: ['succeeded'],
}

/** Every status, in the order in which attempts reach them. */
export const ATTEMPT_STATUSES = Object.keys(TRANSITIONS) as readonly AttemptStatus[]

/** While an attempt is live, nothing it pays can be paid by another attempt. An unknown outcome is live. */
const LIVE_STATUSES: ReadonlySet<AttemptStatus> = new Set(['created', 'submitting', 'requires_action', 'processing', 'unknown', 'manual'])

/** Whether an attempt may go from one status to the other; staying in one is no transition. */
export const canTransition = (from: AttemptStatus, to: AttemptStatus): boolean => TRANSITIONS[from].includes(to)

/** Whether an attempt still claims what it pays, so that no other attempt can pay it. An unknown outcome is live. */
export const isLive = (status: AttemptStatus): boolean => LIVE_STATUSES.has(status)

/** Whether there is a receipt: the money arrived and stayed, or the reseller refunded it. A reversed payment has none. */
export const hasReceipt = (status: AttemptStatus): boolean => status === 'succeeded' || status === 'refunded'

/** Whether the money arrived, whatever happened to it since; `isBooked` of an attempt says whether it was ever recorded as paid. */
export const hasPaid = (status: AttemptStatus): boolean => status === 'succeeded' || status === 'refunded' || status === 'reversed'
