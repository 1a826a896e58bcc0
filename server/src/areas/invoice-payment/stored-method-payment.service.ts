import type { invoicePayment, LinkPayer } from '@counterfoil/contract/invoice-payment'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { notFound } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { portalUrl, requireAccount } from '../../payments/accounts/accounts.ts'
import { chargeIntent } from '../../payments/engine/charge.ts'
import { HAS_CHANGED_TEXT } from '../../payments/engine/claim.ts'
import { limitDeclinedPayments, userDeclineUses } from '../../payments/engine/decline-limit.ts'
import { submissionFromHeader } from '../../payments/attempts/submission.ts'
import { requireStoredMethod } from '../../payments/engine/method-to-pay.ts'
import { toPayResponse } from '../../payments/pay-response.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'
import { readReceiptEmail } from '../../payments/receipt-email.ts'
import { requireShownTotal } from './link-totals.service.ts'
import { findLinkDetails } from './invoice-payment.queries.ts'
import {
  assertPayable,
  createLinkIntent,
  requireLinkedInvoice,
  findRepeat,
  type InvoicePaymentDeps,
  readLastPayment,
  transactAsCustomer,
} from './invoice-payment.service.ts'
import { parseReceiptEmail } from '../../payments/providers/payer-email.rules.ts'

/**
 * Finds the invoice to which a payment link leads, where the invoice is of the signed-in user's customer.
 * @throws ApiError 404 for any other link and for an unknown one
 */
const requireOwnInvoice = async (request: CustomerRequestContext, token: string): Promise<LinkedInvoice> => {
  const link = await requireLinkedInvoice(request, token)
  if (link.customerId !== request.scope.customerId) throw notFound()
  return link
}

/**
 * What a signed-in user of the invoice's customer sees on the public page beside the invoice: receipt address, last payment, whether bank
 * accounts are taken.
 * @throws ApiError 404 as requireOwnInvoice
 */
export const readLinkPayer = async (deps: InvoicePaymentDeps, request: CustomerRequestContext, token: string): Promise<LinkPayer> => {
  const link = await requireOwnInvoice(request, token)
  const receiptEmail = await readReceiptEmail(request)
  const details = await request.transact((db) => findLinkDetails(db, link))
  const payment = await readLastPayment(deps, link)
  // Whoever has the link may have paid: where that receipt went is not this user's business.
  return {
    invoiceId: link.invoiceId,
    invoiceLabelPlural: details.invoiceLabelPlural,
    addsBankAccounts: details.isEnabled && details.directDebitMethodId !== null && !details.hidesPaymentTypes,
    receiptEmail,
    payment: payment === null ? null : { ...payment, email: null },
  }
}

type PayBody = RequestInput<typeof invoicePayment.payStored>['body']

/**
 * Charges a stored method of the signed-in user's customer for one invoice. It is the payment that the public page makes, claimed and
 * repeated by the same names, so that both together pay once. `payments.bulk` is not asked: one invoice is not several.
 * @throws ApiError 404 as requireOwnInvoice, and without such a method; 403 where payments are off; 409 when the invoice is paid, being
 * paid, or not what the page showed; else as toPayResponse; 429 after too many declined payments
 */
export const payWithStoredMethod = async (
  deps: InvoicePaymentDeps,
  request: CustomerRequestContext,
  token: string,
  body: PayBody,
): Promise<ResponseBody<typeof invoicePayment.payStored>> => {
  const link = await requireOwnInvoice(request, token)
  const { payments } = deps
  const { actor, requestInfo, now, scope } = request
  const account = await requireAccount(payments, link.resellerId)
  const method = await requireStoredMethod(payments, account, scope, { id: body.cardId, type: body.type })
  const target = `invoice ${link.customerId} ${link.invoiceId}`
  const submission = submissionFromHeader(payments.keys, target, requestInfo.idempotencyKey, method.source.method.token)
  const repeat = submission === null ? null : await findRepeat(deps, link, submission)
  if (repeat !== null) return repeat
  const details = await transactAsCustomer(deps, link)((db) => findLinkDetails(db, link))
  assertPayable(details, body, HAS_CHANGED_TEXT)
  const shownMinor = await requireShownTotal(transactAsCustomer(deps, link), link, {
    details,
    provider: account.provider,
    isDebit: method.isDebit,
    shownTotal: body.shownTotal,
    changedText: HAS_CHANGED_TEXT,
    now,
    requestInfo,
  })
  const receiptEmail = parseReceiptEmail(body.email)
  const returnUrl = await portalUrl(payments, link, `/pay/${token}`)
  const uses = userDeclineUses({ keys: payments.keys, limits: deps.limits }, actor.userId)
  const attempt = await limitDeclinedPayments(request, uses, async (attemptId) => {
    const intentId = await transactAsCustomer(
      deps,
      link,
    )((db) => createLinkIntent(db, link, details, { now, entryReference: null, createdBy: actor.userId }))
    return chargeIntent(payments, account, link, {
      attemptId,
      intentId,
      ...method,
      submission,
      receiptEmail,
      shownMinor,
      returnUrl: () => returnUrl,
      client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
    })
  })
  return toPayResponse(payments, attempt)
}
