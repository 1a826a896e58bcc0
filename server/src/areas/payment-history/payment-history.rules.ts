import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { InvoicePaymentEntry, Outcome } from '@counterfoil/contract/payment-history'
import { type AttemptStatus, hasReceipt } from '../../payments/attempts/attempt.ts'
import { failureReason } from '../../payments/pay-response.ts'
import { paymentReference } from '@counterfoil/contract/kit/payments/payment-reference'
import type { HistoryRow } from './payment-history.queries.ts'

const OUTCOMES: Readonly<Record<AttemptStatus, Outcome>> = {
  created: 'checking',
  submitting: 'checking',
  unknown: 'checking',
  manual: 'checking',
  requires_action: 'confirming',
  processing: 'processing',
  succeeded: 'paid',
  refunded: 'refunded',
  reversed: 'returned',
  declined: 'declined',
  not_sent: 'failed',
  expired: 'failed',
}

/** A payment attempt in the form of the invoice's payment history; a successful one of which a part came back is "part-refunded". */
export const toPaymentEntry = (
  row: HistoryRow,
  currencySymbol: string,
  outlook: Pick<InvoicePaymentEntry, 'expectedOn' | 'unknownOutcome'>,
): InvoicePaymentEntry => {
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: row.currency })
  const status = row.status as AttemptStatus
  const isPartlyRefunded = status === 'succeeded' && row.refundedMinor > 0
  return {
    id: row.id,
    reference: paymentReference(row.id),
    date: row.createdAt.toISOString(),
    amount: money(row.amountMinor),
    fee: money(row.feeMinor),
    total: money(row.totalMinor),
    cameBack: money(row.refundedMinor + row.reversedMinor),
    overpaid: money(row.overpaidMinor),
    invoiceCount: row.invoiceCount,
    method: methodLabel(row.methodType, row.methodShown ?? {}),
    outcome: isPartlyRefunded ? 'part-refunded' : OUTCOMES[status],
    isUnderReview: status === 'manual',
    reason: failureReason({ status, userMessage: row.userMessage }),
    hasReceipt: hasReceipt(status),
    currencySymbol,
    ...outlook,
  }
}
