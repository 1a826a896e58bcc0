import type { ErrorCode } from '@counterfoil/contract/kit/http/error-codes'
import { randomUUID } from 'node:crypto'
import type { InvoicePayment, invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { cardFields } from '@counterfoil/contract/card-fields'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { addMs } from '../../kit/clock.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import type { Transact } from '../../db/transact.ts'
import { findAccount, portalUrl, requireAccount } from '../../payments/accounts/accounts.ts'
import type { AttemptStatus } from '../../payments/attempts/attempt.ts'
import { chargeIntent } from '../../payments/engine/charge.ts'
import { ALREADY_PAID_TEXT, hasChanged, LINK_CHANGED_TEXT } from '../../payments/engine/claim.ts'
import { findAttemptBySubmission } from '../../payments/engine/claim.queries.ts'
import { limitDeclinedPayments, linkDeclineUses } from '../../payments/engine/decline-limit.ts'
import { isSameAmount } from '../../payments/accounts/fees.rules.ts'
import type { Attempt } from '../../payments/attempts/attempt.queries.ts'
import { type LinkedInvoice, findInvoiceByPayToken } from '../../payments/payment-link.queries.ts'
import { lookUpAttempt } from '../../payments/engine/look-up.ts'
import { toPayResponse } from '../../payments/pay-response.ts'
import { readPaymentSummary } from '../../payments/payment-summary.ts'
import { cardFingerprint, parseNewCard } from '../../payments/methods/card-form.rules.ts'
import { framedMethodOf } from '../../payments/returns/framed-method.ts'
import { waitForOutcome } from '../../payments/engine/wait-for-outcome.ts'
import { findProviderFor, queryAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import { type Submission, submissionFromHeader } from '../../payments/attempts/submission.ts'
import type { Renderer } from '../../documents/renderer.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import type { LocalRateLimiter } from '../../rate-limits/rate-limits.ts'
import { newSecret } from '../../session/tokens.ts'
import {
  listLinkFeeRules,
  insertLinkIntent,
  findLastAttempt,
  findStartedIntent,
  type LinkDetails,
  findLinkDetails,
} from './invoice-payment.queries.ts'
import { recordLinkTotal, requireShownTotal } from './link-totals.service.ts'
import { limitCardTesting } from './card-testing.service.ts'
import { callProvider } from '../payment-methods/method-family.service.ts'
import { isShownAfterwards, toInvoicePayment } from './invoice-payment.rules.ts'
import { parseReceiptEmail } from '../../payments/providers/payer-email.rules.ts'

export interface InvoicePaymentDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
  readonly localLimiter: LocalRateLimiter
  readonly renderer: Renderer
  readonly publicUrl: string
}

/** What is known of a request without a session. */
export interface PublicRequest {
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

/** Finds the invoice to which a payment link leads, by the link's token. @throws ApiError 404 for an unknown link */
export const requireLinkedInvoice = async ({ transactAsSystem }: PublicRequest, token: string): Promise<LinkedInvoice> => {
  const found = token.length < 22 ? undefined : await transactAsSystem((db) => findInvoiceByPayToken(db, token))
  if (found === undefined) throw notFound()
  return found
}

/** The function that runs transactions which see the rows of the link's customer alone. */
export const transactAsCustomer =
  ({ payments }: InvoicePaymentDeps, { customerId, resellerId }: LinkedInvoice): Transact =>
  (work) =>
    payments.store.transact({ role: 'counterfoil_app', customerId, resellerId }, work)

/**
 * What the public page of an invoice shows. An unfinished payment is looked up at the provider first, so that a payer who returns from
 * confirming sees the outcome. Notes the total that is shown, in the database and in a cookie.
 * @throws ApiError 404 for an unknown link; 429 when it is read too often
 */
export const readPaymentDetails = async (deps: InvoicePaymentDeps, request: PublicRequest, token: string): Promise<InvoicePayment> => {
  deps.localLimiter.consume('linkReads', token, request.now)
  const link = await requireLinkedInvoice(request, token)
  const openAttempt = await transactAsCustomer(deps, link)((db) => findLastAttempt(db, link))
  if (openAttempt?.status === 'requires_action' || openAttempt?.status === 'unknown')
    await lookUpAttempt(deps.payments, { ...link, id: openAttempt.id }, 'return')
  const account = await findAccount(deps.payments, link.resellerId)
  const payment = await readLastPayment(deps, link)
  return transactAsCustomer(
    deps,
    link,
  )(async (db) => {
    const lastAttempt = await findLastAttempt(db, link)
    const details = await findLinkDetails(db, link)
    const provider = findProviderFor(deps.payments, details.provider ?? '')
    await recordLinkTotal(db, link, details, provider, request)
    return toInvoicePayment({
      token,
      customerId: link.customerId,
      details,
      provider,
      feeRules: await listLinkFeeRules(db, link),
      lastAttempt: lastAttempt === undefined ? undefined : { ...lastAttempt, status: lastAttempt.status as AttemptStatus },
      payment,
      isConfigured: account !== null,
      takesCardNumbers: account?.acceptsRawCards === true,
      splitCardFields: deps.payments.config.splitCardResellers.has(link.resellerId),
      now: request.now,
    })
  })
}

/**
 * The payment that has paid the invoice of a link, or is under way; null where the last attempt has failed, was returned or waits for the
 * payer's confirmation, and without one. It names everything that it paid.
 */
export const readLastPayment = async (deps: InvoicePaymentDeps, link: LinkedInvoice): Promise<PaymentSummary | null> => {
  const last = await transactAsCustomer(deps, link)((db) => findLastAttempt(db, link))
  const isShown = last !== undefined && isShownAfterwards(last.status as AttemptStatus)
  return isShown ? readPaymentSummary(deps.payments, { ...link, id: last.id }) : null
}

type PayBody = RequestInput<typeof invoicePayment.pay>['body']

const INTENT_TTL_MS = 3_600_000

/**
 * Charges the card in the body for one invoice, by its link. The amount due is charged; the amount that the page shows is only compared. A
 * repeated submission gets the outcome of the first.
 * @throws ApiError 403 where payments are off; 409 when it is paid, being paid, or not what the page showed; else as toPayResponse; 429
 * after too many declined payments
 */
export const payInvoice = async (
  deps: InvoicePaymentDeps,
  request: PublicRequest,
  body: PayBody,
): Promise<ResponseBody<typeof invoicePayment.pay>> => {
  const link = await requireLinkedInvoice(request, body.uid)
  const account = await requireAccount(deps.payments, link.resellerId)
  const target = `invoice ${link.customerId} ${link.invoiceId}`
  const framed = framedMethodOf(deps.payments, account, {
    state: body.cardToken,
    target,
    isFor: (state) => state.purpose === 'link' && state.payToken === body.uid,
  })
  const submission =
    framed?.submission ?? submissionFromHeader(deps.payments.keys, target, request.requestInfo.idempotencyKey, cardFingerprint(body))
  const repeat = submission === null ? null : await findRepeat(deps, link, submission)
  if (repeat !== null) return repeat
  const details = await transactAsCustomer(deps, link)((db) => findLinkDetails(db, link))
  assertPayable(details, body, LINK_CHANGED_TEXT)
  const { requestInfo, now } = request
  const shownMinor = await requireShownTotal(transactAsCustomer(deps, link), link, {
    details,
    provider: account.provider,
    isDebit: false,
    shownTotal: framed?.shownTotal ?? body.shownTotal,
    changedText: LINK_CHANGED_TEXT,
    now,
    requestInfo,
  })
  const card = parseNewCard(body, { ...details, framed: framed?.typedMethod ?? null, account, now: request.now })
  // An address that the provider needs is no wish for a receipt.
  const wantsReceipt = details.hasReceipt || account.provider.entry.payForm?.needsEmail !== true
  const receiptEmail = wantsReceipt ? parseReceiptEmail(body.email) : null
  const returnUrl = await portalUrl(deps.payments, link, `/pay/${body.uid}`)
  const uses = linkDeclineUses(
    { keys: deps.payments.keys, limits: deps.limits },
    { address: requestInfo.address, resellerId: link.resellerId, payToken: body.uid },
  )
  const charge = async (attemptId: string): Promise<Attempt> => {
    const intentId = await transactAsCustomer(
      deps,
      link,
    )(async (db) => {
      const started = body.cardToken === undefined ? undefined : await findStartedIntent(db, link, body.cardToken)
      return started?.id ?? createLinkIntent(db, link, details, { now, entryReference: null, createdBy: null })
    })
    return chargeIntent(deps.payments, account, link, {
      attemptId,
      intentId,
      source: { card },
      methodId: null,
      methodType: 'card',
      isDebit: false,
      submission,
      receiptEmail,
      shownMinor,
      returnUrl: () => returnUrl,
      client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
    })
  }
  const subject = { resellerId: link.resellerId, provider: account.provider.name }
  const attempt = await limitDeclinedPayments(request, uses, (attemptId) =>
    limitCardTesting(deps, request, subject, { attemptId, charge: () => charge(attemptId) }),
  )
  return toPayResponse(deps.payments, attempt)
}

/**
 * Inserts an intent to pay the amount due of a link's invoice. `entryReference` is the provider's reference of a card form that was started
 * before; null without one. `createdBy` is the signed-in user; null for any other payer.
 * @returns the intent's id
 */
export const createLinkIntent = async (
  db: Parameters<typeof insertLinkIntent>[0],
  link: LinkedInvoice,
  { currency, dueMinor: amountMinor }: LinkDetails,
  { now, entryReference, createdBy }: { now: Date; entryReference: string | null; createdBy: string | null },
): Promise<string> => {
  const id = randomUUID()
  const expiresAt = addMs(now, INTENT_TTL_MS)
  await insertLinkIntent(db, link, {
    id,
    sessionId: newSecret(),
    createdBy,
    currency,
    amountMinor,
    entryReference,
    createdAt: now,
    expiresAt,
  })
  return id
}

/**
 * Has the provider begin its own card fields for the payer of an invoice, and returns what the browser needs. What the provider must get
 * again is kept on an intent. Nothing is charged.
 * @throws ApiError 404 for an unknown link or where the provider has no such fields; 409 when nothing is due; 429 when it is asked too
 * often
 */
export const startLinkCardFields = async (
  deps: InvoicePaymentDeps,
  request: PublicRequest,
  token: string,
): Promise<ResponseBody<typeof cardFields.pay>> => {
  deps.localLimiter.consume('linkReads', token, request.now)
  const link = await requireLinkedInvoice(request, token)
  const { provider, context } = await requireAccount(deps.payments, link.resellerId)
  if (provider.entry.createCardForm === undefined) throw notFound()
  const details = await transactAsCustomer(deps, link)((db) => findLinkDetails(db, link))
  assertDue(details)
  const { fields, entryReference } = await callProvider(provider.entry.createCardForm(context, 'pay', { customerId: link.customerId }))
  if (entryReference !== null)
    await transactAsCustomer(deps, link)((db) => createLinkIntent(db, link, details, { now: request.now, entryReference, createdBy: null }))
  return { fields }
}

/** The response for a submission that was made before, once its outcome is known; null for a new submission. */
export const findRepeat = async (
  { payments }: InvoicePaymentDeps,
  link: LinkedInvoice,
  submission: Submission,
): Promise<ResponseBody<typeof invoicePayment.pay> | null> => {
  const id = await queryAsReseller(payments, link.resellerId, (db) => findAttemptBySubmission(db, link, submission))
  return id === undefined ? null : toPayResponse(payments, await waitForOutcome(payments, { ...link, id }))
}

const CREDITED_TEXT = 'The invoice has been credited. No further payments required.'
const CREDIT_NOTE_TEXT = 'This is a credit note. There is nothing to pay.'
const NOTHING_DUE_TEXT = 'No payment is required.'

/** @throws ApiError 409 when nothing is due of the invoice, or it is being paid */
export const assertDue = ({ status, amountMinor, dueMinor }: LinkDetails): void => {
  if (status === INVOICE_STATUS.paid) throw conflict('already_paid', ALREADY_PAID_TEXT)
  if (status === INVOICE_STATUS.credited && amountMinor < 0) throw conflict('already_paid', CREDIT_NOTE_TEXT)
  if (status === INVOICE_STATUS.credited) throw conflict('already_paid', CREDITED_TEXT)
  if (status === INVOICE_STATUS.inCollection) throw conflict('payment_in_progress', PROCESSING_TEXT)
  if (dueMinor <= 0) throw conflict('already_paid', NOTHING_DUE_TEXT)
}

/** @throws ApiError as assertDue; 409 when another amount is due than the page showed, 400 for another invoice */
export const assertPayable = (details: LinkDetails, body: Pick<PayBody, 'invoiceNumber' | 'invoiceAmount'>, changedText: string): void => {
  assertDue(details)
  const { dueMinor, currency, number } = details
  if (body.invoiceNumber !== number) throw invalidInput('body.invoiceNumber', 'This is not the number of the invoice.')
  if (!isSameAmount(body.invoiceAmount, dueMinor, currency)) throw hasChanged(changedText)
}

/** The 409 whose message the payer sees too. */
const conflict = (code: ErrorCode, message: string): ApiError => new ApiError(code, message, { userMessage: message })
