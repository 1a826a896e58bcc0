import type { Invoice } from '@counterfoil/contract/invoices'
import type { Day } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS, type InvoiceStatus } from '@counterfoil/contract/kit/payments/invoice-status'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { toInstant } from '../../kit/instant-text.ts'
import type { Keys } from '../../kit/keys.ts'
import { paymentFee, type ProviderFeeRule } from '../../payments/accounts/fees.rules.ts'
import { payToken } from '../../payments/pay-token.ts'
import { periodLabel } from '../../kit/month-label.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/**
 * The status that people see on a day. An open invoice is overdue once its due day has passed with something left to pay; every other
 * status is as stored.
 */
export const statusOn = (today: Day, invoice: { status: number; dueOn: Day; amountDueMinor: number }): InvoiceStatus => {
  const isOverdue = invoice.status === INVOICE_STATUS.open && invoice.amountDueMinor > 0 && invoice.dueOn < today
  return isOverdue ? INVOICE_STATUS.overdue : (invoice.status as InvoiceStatus)
}

/** Whether an invoice can be paid now (INV-01): open or overdue, with something due, where payments are enabled and none is under way. */
export const canBePaid = (
  status: InvoiceStatus,
  amountDueMinor: number,
  { paymentsEnabled, isBeingPaid }: { paymentsEnabled: boolean; isBeingPaid: boolean },
): boolean => paymentsEnabled && !isBeingPaid && amountDueMinor > 0 && (status === INVOICE_STATUS.open || status === INVOICE_STATUS.overdue)

/** The label of a billing period, such as "November 2026"; empty without one. */
export const periodText = (startsOn: Day | null, endsOn: Day | null): string =>
  startsOn === null || endsOn === null ? '' : periodLabel(startsOn, endsOn)

/**
 * An invoice in the form of the API's list, with its payment link's token, whether it can be paid now, and the card's fee then.
 * @param feeRules those that the reseller's provider applies
 */
export const toInvoice = (
  row: InvoiceRow,
  { keys, today, feeRules }: { keys: Keys; today: Day; feeRules: readonly ProviderFeeRule[] },
): Invoice => {
  const status = statusOn(today, row)
  const canPay = canBePaid(status, row.amountDueMinor, row)
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: row.currency })
  return {
    id: row.id,
    number: row.number,
    amount: money(row.amountMinor),
    amountDue: money(row.amountDueMinor),
    dateInvoice: row.issuedOn,
    dateDue: row.dueOn,
    dateGenerated: toInstant(row.generatedAt),
    paid: status === INVOICE_STATUS.paid,
    canPay,
    payToken: row.paymentsEnabled && row.hasPayLink ? payToken(keys, row.customerId, row.id) : null,
    selected: false,
    fee: canPay ? money(paymentFee(row.amountDueMinor, row.currency, false, feeRules)?.minor ?? 0) : 0,
    invoiceStatus: status,
    isCredited: status === INVOICE_STATUS.credited,
    periodLabel: periodText(row.periodStartsOn, row.periodEndsOn),
    periodStart: row.periodStartsOn,
    periodEnd: row.periodEndsOn,
    currency: row.currency,
    currencySymbol: row.currencySymbol,
  }
}
