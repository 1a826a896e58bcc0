import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { dayOf } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import { type AttemptStatus, hasPaid, isLive } from '../../payments/engine/attempt.ts'
import { paymentFee, type FeeRule } from '../../payments/engine/fees.rules.ts'
import { failureMessage } from '../../payments/pay-response.ts'
import { providerScriptUrl } from '../../payments/accounts/provider-script.ts'
import { statusOn } from '../invoices/invoices.service.ts'
import type { LinkFacts } from './invoice-payment.queries.ts'

export interface LinkView {
  readonly token: string
  readonly customerId: number
  readonly facts: LinkFacts
  readonly rules: readonly FeeRule[]
  readonly last: { readonly status: AttemptStatus; readonly createdAt: Date; readonly userMessage: string | null } | undefined
  readonly isConfigured: boolean
  readonly splitCardFields: boolean
  readonly now: Date
}

/** What a card pays on top, where the company's fee rules count (payments.md §3). */
const cardFee = ({ facts, rules }: Pick<LinkView, 'facts' | 'rules'>): number =>
  facts.paymentType === PAYMENT_TYPES.stripe ? (paymentFee(facts.dueMinor, facts.currency, false, rules)?.minor ?? 0) : 0

const INTEGRATIONS: Readonly<Record<number, string>> = { [PAYMENT_TYPES.stripe]: 'Stripe', [PAYMENT_TYPES.nexio]: 'Nexio' }

/** What the public page of an invoice shows. */
export const invoicePaymentOf = (view: LinkView): InvoicePayment => {
  const { token, customerId, facts, isConfigured, now } = view
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: facts.currency })
  const status = statusOn(dayOf(now), { status: facts.status, dueOn: facts.dueOn, amountDueMinor: facts.dueMinor })
  const paymentType = facts.isEnabled ? facts.paymentType : PAYMENT_TYPES.none
  return {
    invoiceAmount: money(facts.dueMinor),
    InvoiceNumber: facts.number,
    invoiceDate: facts.issuedOn,
    invoiceDueDate: facts.dueOn,
    invoiceStatus: status,
    isCredited: status === INVOICE_STATUS.credited,
    fee: money(cardFee(view)),
    uid: token,
    customer: customerId,
    brandId: facts.brandId,
    brandName: facts.brandName,
    currency: facts.currency,
    currencySymbol: { symbol: facts.symbol },
    paymentType,
    integrationType: INTEGRATIONS[paymentType] ?? null,
    publishableKey: facts.isEnabled ? facts.publishableKey : null,
    scriptUrl: facts.isEnabled ? providerScriptUrl(facts.provider, facts.baseUrl) : null,
    splitCardFields: view.splitCardFields,
    enabledReceipt: facts.hasReceipt,
    requiredCardHolder: facts.needsHolder || paymentType === PAYMENT_TYPES.nexio,
    requiredBillingAddress: facts.needsAddress,
    isFrame: paymentType === PAYMENT_TYPES.ippay,
    apiStatus: isConfigured,
    ...lastPayment(view),
  }
}

/** How long the page still tells of a payment that failed. */
const TOLD_MS = 3_600_000

const lastPayment = ({ last, now }: LinkView): Pick<InvoicePayment, 'paymentStatus' | 'paymentError'> => {
  const none = { paymentStatus: INTENT_STATUS.open, paymentError: null }
  if (last === undefined || last.status === 'action') return none
  if (isLive(last.status)) return { paymentStatus: INTENT_STATUS.processing, paymentError: null }
  const paymentError = failureMessage(last)
  if (paymentError !== null)
    return now.getTime() - last.createdAt.getTime() > TOLD_MS ? none : { paymentStatus: INTENT_STATUS.failed, paymentError }
  return hasPaid(last.status) ? { paymentStatus: INTENT_STATUS.paid, paymentError: null } : none
}
