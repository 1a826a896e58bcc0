import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { dayOf } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentFee, PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import { type AttemptStatus, hasPaid, isLive } from '../../payments/attempts/attempt.ts'
import { applicableFeeRules, listFees, type FeeRule } from '../../payments/accounts/fees.rules.ts'
import { failureMessage } from '../../payments/pay-response.ts'
import type { PaymentProvider } from '../../payments/providers/provider.ts'
import { providerScriptUrl } from '../../payments/accounts/provider-script.ts'
import { statusOn } from '../invoices/invoices.service.ts'
import type { LinkDetails } from './invoice-payment.queries.ts'

export interface InvoicePaymentView {
  readonly token: string
  readonly customerId: number
  readonly details: LinkDetails
  readonly feeRules: readonly FeeRule[]
  readonly lastAttempt:
    | { readonly id: string; readonly status: AttemptStatus; readonly createdAt: Date; readonly userMessage: string | null }
    | undefined
  /** What has paid it, or is being confirmed, with everything that it paid. */
  readonly payment: PaymentSummary | null
  /** The reseller's provider; undefined without payments. */
  readonly provider: PaymentProvider | undefined
  readonly isConfigured: boolean
  readonly takesCardNumbers: boolean
  readonly splitCardFields: boolean
  readonly now: Date
}

/** What each way to pay adds to the amount due, where the reseller's fee rules apply with its provider. */
const feesOf = ({ details, feeRules, provider }: Pick<InvoicePaymentView, 'details' | 'feeRules' | 'provider'>): PaymentFee[] =>
  listFees(details.dueMinor, details.currency, applicableFeeRules(feeRules, provider?.amounts))

/** What the public page of an invoice shows, in the form of the API: amounts, status, the form's settings and the last payment. */
export const toInvoicePayment = (view: InvoicePaymentView): InvoicePayment => {
  const { token, customerId, details, isConfigured, now } = view
  const provider = details.isEnabled ? view.provider : undefined
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: details.currency })
  const fees = feesOf(view)
  const status = statusOn(dayOf(now), { status: details.status, dueOn: details.dueOn, amountDueMinor: details.dueMinor })
  const paymentType = details.isEnabled ? details.paymentType : PAYMENT_TYPES.none
  return {
    invoiceAmount: money(details.dueMinor),
    InvoiceNumber: details.number,
    invoiceDate: details.issuedOn,
    invoiceDueDate: details.dueOn,
    periodStart: details.periodStart,
    periodEnd: details.periodEnd,
    invoiceStatus: status,
    isCredited: status === INVOICE_STATUS.credited,
    fee: fees.find(({ kind }) => kind === 'card')?.amount ?? 0,
    fees,
    uid: token,
    customer: customerId,
    brandId: details.brandId,
    brandName: details.brandName,
    currency: details.currency,
    currencySymbol: { symbol: details.symbol },
    paymentType,
    integrationType: provider?.entry.payForm?.integrationType ?? null,
    publishableKey: details.isEnabled ? details.publishableKey : null,
    scriptUrl: providerScriptUrl(provider, details.baseUrl),
    takesCardNumbers: view.takesCardNumbers,
    splitCardFields: view.splitCardFields,
    enabledReceipt: details.hasReceipt,
    requiredCardHolder: details.needsHolder || provider?.entry.payForm?.needsHolder === true,
    requiredBillingAddress: details.needsAddress,
    requiredEmail: provider?.entry.payForm?.needsEmail === true,
    paymentTypeDisclaimer: details.disclaimer,
    isFrame: provider?.entry.payForm?.usesIframe === true,
    apiStatus: isConfigured,
    ...toPaymentStatus(view),
    lastPaymentId: view.lastAttempt?.id ?? null,
    payment: view.payment === null ? null : toLinkPayment(view.payment, details.number),
    hasLinkReceipt: view.payment !== null && hasLinkReceipt(view.payment),
  }
}

/** How long the page shows that a payment failed. */
const FAILURE_SHOWN_MS = 3_600_000

/**
 * The state of the newest attempt as the page shows it. An attempt that the payer has not confirmed counts as none, a failure is shown for
 * `FAILURE_SHOWN_MS` alone.
 */
const toPaymentStatus = ({ lastAttempt, now }: InvoicePaymentView): Pick<InvoicePayment, 'paymentStatus' | 'paymentError'> => {
  const none = { paymentStatus: INTENT_STATUS.open, paymentError: null }
  if (lastAttempt === undefined || lastAttempt.status === 'requires_action') return none
  if (isLive(lastAttempt.status)) return { paymentStatus: INTENT_STATUS.processing, paymentError: null }
  const paymentError = failureMessage(lastAttempt)
  if (paymentError !== null)
    return now.getTime() - lastAttempt.createdAt.getTime() > FAILURE_SHOWN_MS ? none : { paymentStatus: INTENT_STATUS.failed, paymentError }
  return hasPaid(lastAttempt.status) ? { paymentStatus: INTENT_STATUS.paid, paymentError: null } : none
}

/**
 * Whether the page of an invoice goes on showing an attempt: one that has paid or is under way, but not one that waits for the payer's
 * confirmation.
 */
export const isShownAfterwards = (status: AttemptStatus): boolean =>
  status !== 'requires_action' && status !== 'reversed' && (hasPaid(status) || isLive(status))

/** Whether a payment paid exactly one invoice, and no adjustments. */
const isForOneInvoice = ({ invoices, adjustments }: PaymentSummary): boolean => invoices.length === 1 && adjustments.length === 0

/** Whether the holder of an invoice's link may have a payment's receipt: there is one, and it names no other invoice. */
export const hasLinkReceipt = (payment: PaymentSummary): boolean => payment.hasReceipt && isForOneInvoice(payment)

/**
 * A payment as the holder of an invoice's link may see it: without other invoices, and without email addresses. Where others were paid too,
 * the total is this invoice's part.
 */
const toLinkPayment = (payment: PaymentSummary, invoiceNumber: string): PaymentSummary => {
  if (isForOneInvoice(payment)) return { ...payment, email: null }
  const invoices = payment.invoices.filter((paid) => paid.invoiceNumber === invoiceNumber)
  const total = invoices[0]?.invoiceAmount ?? 0
  return { ...payment, email: null, invoices, adjustments: [], adjustmentsTotal: 0, fee: null, total }
}
