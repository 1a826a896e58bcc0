/** The states of an attempt to move money (docs/payments.md). */
export type AttemptStatus =
  | 'created'
  | 'submitting'
  | 'action'
  | 'processing'
  | 'unknown'
  | 'manual'
  | 'succeeded'
  | 'declined'
  | 'not-sent'
  | 'expired'
  | 'refunded'
  | 'reversed'

/**
 * Every legal step. A company's explicit yes is believed however late it comes, so every state in which no money was thought to have moved
 * leads to `succeeded`; nothing leads back from there but the company's own word that the money went back.
 */
const TRANSITIONS: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  created: ['submitting', 'not-sent'],
  submitting: ['succeeded', 'declined', 'not-sent', 'action', 'processing', 'unknown', 'expired'],
  action: ['succeeded', 'declined', 'processing', 'expired', 'manual'],
  processing: ['succeeded', 'declined', 'expired', 'manual'],
  unknown: ['succeeded', 'declined', 'not-sent', 'action', 'processing', 'expired', 'manual'],
  manual: ['succeeded', 'declined', 'not-sent', 'processing', 'expired'],
  succeeded: ['refunded', 'reversed'],
  refunded: ['reversed', 'succeeded'],
  reversed: ['succeeded', 'refunded'],
  declined: ['succeeded'],
  'not-sent': ['succeeded'],
  expired: ['succeeded'],
}

/** While an attempt is live, nothing that it pays can be paid by another. Not knowing counts as live. */
const LIVE_STATUSES: ReadonlySet<AttemptStatus> = new Set(['created', 'submitting', 'action', 'processing', 'unknown', 'manual'])

export const canTransition = (from: AttemptStatus, to: AttemptStatus): boolean => TRANSITIONS[from].includes(to)

export const isLive = (status: AttemptStatus): boolean => LIVE_STATUSES.has(status)

/** Is there a receipt? It says that money arrived and stayed, or was given back by the reseller; what a bank took back has none (0070). */
export const hasReceipt = (status: AttemptStatus): boolean => status === 'succeeded' || status === 'refunded'

/** Did the money arrive, whatever happened to it since? */
export const hasPaid = (status: AttemptStatus): boolean => status === 'succeeded' || status === 'refunded' || status === 'reversed'
