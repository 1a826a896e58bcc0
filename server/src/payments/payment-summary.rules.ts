import { paymentReference } from '@counterfoil/contract/kit/payments/payment-reference'
import { dayOf, type Day } from '@counterfoil/contract/kit/day'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import { FEE_LINES } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { addBankingDays } from './providers/debits.ts'
import { type AttemptStatus, hasReceipt } from './attempts/attempt.ts'
import type { SummaryHead, SummaryItem } from './payment-summary.queries.ts'

interface SentDebit {
  readonly status: string
  readonly isDebit: boolean
  readonly createdAt: Date
}

/**
 * When the money of a debit on its way is expected; null for other payments, where nobody can say, and once that day has passed.
 * @param bankingDays how long the provider's debits take; null where it does not say
 */
export const expectedDay = ({ status, isDebit, createdAt }: SentDebit, bankingDays: number | null, now: Date): Day | null => {
  if (status !== 'processing' || !isDebit || bankingDays === null) return null
  const day = dayOf(addBankingDays(createdAt, bankingDays))
  return day < dayOf(now) ? null : day
}

/** What a payer is told of a payment beside what stands in its rows. */
type Outlook = Pick<PaymentSummary, 'expectedOn' | 'unknownOutcome'>

/** A payment as the API tells its payer of it, in currency units; the money is that of the payment, not of its returns. */
export const toPaymentSummary = (head: SummaryHead, items: readonly SummaryItem[], outlook: Outlook): PaymentSummary => {
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: head.currency })
  const adjustments = items.filter(({ number }) => number === null)
  return {
    id: head.id,
    reference: paymentReference(head.id),
    date: head.createdAt.toISOString(),
    method: methodLabel(head.methodType, head.methodShown ?? {}),
    invoices: items.flatMap(({ number, amountMinor }) =>
      number === null ? [] : [{ invoiceNumber: number, invoiceAmount: money(amountMinor) }],
    ),
    adjustmentsTotal: money(adjustments.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
    adjustments: adjustments.map(({ description, amountMinor }) => ({ description: description ?? '', amount: money(amountMinor) })),
    fee: head.feeLine === null ? null : { name: FEE_LINES[head.feeLine], amount: money(head.feeMinor) },
    total: money(head.totalMinor),
    currency: head.currency,
    currencySymbol: head.currencySymbol,
    email: head.email,
    hasReceipt: hasReceipt(head.status as AttemptStatus),
    isDebit: head.isDebit,
    isUnderReview: head.status === 'manual',
    ...outlook,
  }
}
