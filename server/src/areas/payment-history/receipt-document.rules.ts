import { dayOf } from '@counterfoil/contract/kit/day'
import { methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import { FEE_LINES } from '@counterfoil/contract/kit/payments/payment-status'
import { toParties } from '../../documents/pdf/letterhead.ts'
import type { ReceiptDocument } from '../../documents/receipt-document.ts'
import { paymentReference } from '@counterfoil/contract/kit/payments/payment-reference'
import type { ReceiptHead, ReceiptLineRow } from './payment-history.queries.ts'

/** A receipt's number: the day of the payment and the start of its id, so that it never changes. */
export const receiptNumber = ({ id }: { id: string }, paidAt: Date): string =>
  `R-${dayOf(paidAt).replaceAll('-', '')}-${id.replaceAll('-', '').slice(0, 8).toUpperCase()}`

/** The content of a receipt's PDF. */
export const toReceiptDocument = (head: ReceiptHead, lines: readonly ReceiptLineRow[], paidAt: Date): ReceiptDocument => {
  const amountText = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency: head.currency })
  return {
    kind: 'receipt',
    title: 'Receipt',
    number: receiptNumber(head, paidAt),
    paidOn: dayOf(paidAt),
    method: methodLabel(head.methodType, head.methodShown ?? {}),
    reference: paymentReference(head.id),
    providerReference: head.providerRef,
    invoiceLabel: head.invoiceLabel,
    lines: lines.map(({ number, issuedOn, description, amountMinor }) => ({
      description: number ?? description ?? '',
      issuedOn,
      amount: amountText(amountMinor),
    })),
    fee: head.feeLine === null ? null : { name: FEE_LINES[head.feeLine], amount: amountText(head.feeMinor) },
    total: amountText(head.totalMinor),
    refunded: head.refundedMinor === 0 ? null : amountText(head.refundedMinor),
    netPaid: amountText(head.totalMinor - head.refundedMinor),
    currency: head.currency,
    currencySymbol: head.currencySymbol,
    ...toParties(head),
    language: 'en',
  }
}
