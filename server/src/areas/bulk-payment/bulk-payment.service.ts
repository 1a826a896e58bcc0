import { randomUUID } from 'node:crypto'
import type { bulkPayment, PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import type { DueAdjustment } from '@counterfoil/contract/kit/payments/adjustment'
import type { CustomerScope } from '../../session/scope.ts'
import { addMs } from '../../kit/clock.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, portalUrl, requireAccount } from '../../payments/accounts/accounts.ts'
import { hasReceipt, isLive } from '../../payments/attempts/attempt.ts'
import { chargeIntent, type ChargeRequest } from '../../payments/engine/charge.ts'
import { applicableFeeRules, parseShownTotal, waysTotal } from '../../payments/accounts/fees.rules.ts'
import { limitDeclinedPayments, userDeclineUses } from '../../payments/engine/decline-limit.ts'
import { cancelAttempt, lookUpAttempt } from '../../payments/engine/look-up.ts'
import { type MethodToPay, requireStoredMethod } from '../../payments/engine/method-to-pay.ts'
import { failureMessage, toIntentStatus, toPayResponse } from '../../payments/pay-response.ts'
import { cardFingerprint, parseNewCard, assertNoRawCard } from '../../payments/methods/card-form.rules.ts'
import { payToken } from '../../payments/pay-token.ts'
import { readPaymentSummary, readPendingPayment } from '../../payments/payment-summary.ts'
import { readReceiptEmail } from '../../payments/receipt-email.ts'
import { findProviderFor, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { TypedMethod } from '../../payments/providers/method.ts'
import { framedMethodOf } from '../../payments/returns/framed-method.ts'
import { submissionFromHeader } from '../../payments/attempts/submission.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { newSecret } from '../../session/tokens.ts'
import {
  listDueAdjustments,
  listFeeRulesIn,
  readFormRules,
  type IntentHead,
  insertIntent,
  listIntentAttempts,
  findIntentHead,
  listIntentItems,
  findAttempt,
  isDefaultMethodBank,
  findInvoicesToPay,
} from './bulk-payment.queries.ts'
import { toPaymentIntent, assertPayable, findActiveAttempt } from './bulk-payment.rules.ts'
import { parseReceiptEmail } from '../../payments/providers/payer-email.rules.ts'

export interface BulkPaymentDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

const INTENT_TTL_MS = 24 * 3_600_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The reseller's account at the payment provider in use. @throws ApiError 403 where several invoices cannot be paid at once */
export const requireBulkAccount = async ({ payments }: BulkPaymentDeps, { scope }: CustomerRequestContext): Promise<Account> => {
  const account = await requireAccount(payments, scope.resellerId)
  if (!account.allowsBulk) throw new ApiError('bulk_payments_unavailable', 'Paying several invoices at once is not available.')
  return account
}

/**
 * Stores an intent for several invoices, with all adjustments due in their currency, and returns it. Nothing is charged; it expires after
 * `INTENT_TTL_MS`.
 * @throws ApiError 403 where it is switched off; 404 and 409 as assertPayable
 */
export const createIntent = async (
  deps: BulkPaymentDeps,
  request: CustomerRequestContext,
  invoiceIds: readonly number[],
): Promise<PaymentIntent> => {
  const { provider } = await requireBulkAccount(deps, request)
  const { scope, transact, actor, now } = request
  const id = randomUUID()
  const invoices = await transact((db) => findInvoicesToPay(db, scope, invoiceIds))
  const payingAttemptId = invoices.find((invoice) => invoice.payingAttemptId !== null)?.payingAttemptId ?? null
  const pending = payingAttemptId === null ? undefined : await readPendingPayment(deps.payments, { ...scope, id: payingAttemptId })
  assertPayable(invoiceIds.length, invoices, pending)
  await transact(async (db) => {
    const currency = invoices[0]?.currency ?? ''
    const adjustments = (await listDueAdjustments(db, scope)).filter((adjustment) => adjustment.currency === currency)
    const items = [
      ...invoices.map((invoice) => ({ invoiceId: invoice.id, adjustmentId: null, amountMinor: invoice.dueMinor })),
      ...adjustments.map((adjustment) => ({ invoiceId: null, adjustmentId: adjustment.id, amountMinor: adjustment.amountMinor })),
    ]
    const sumMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    const total = waysTotal(sumMinor, currency, applicableFeeRules(await listFeeRulesIn(db, scope, currency), provider.amounts))
    const times = { createdAt: now, expiresAt: addMs(now, INTENT_TTL_MS) }
    await insertIntent(db, scope, { id, sessionId: newSecret(), currency, createdBy: actor.userId, ...times, items, total })
  })
  return readIntent(deps, request, id)
}

/** The customer's unsettled amounts outside invoices, in the form of the API. */
export const readDueAdjustments = async (db: Parameters<typeof listDueAdjustments>[0], scope: CustomerScope): Promise<DueAdjustment[]> =>
  (await listDueAdjustments(db, scope)).map(({ description, amountMinor, currency, symbol }) => ({
    description,
    amount: toJsonNumber({ minor: BigInt(amountMinor), currency }),
    currency,
    currencySymbol: symbol,
  }))

/**
 * The current state of an intent, from our records; the provider is not asked.
 * @throws ApiError 404, the same for an intent that is missing and for one of another customer
 */
export const readIntent = async ({ payments }: BulkPaymentDeps, request: CustomerRequestContext, id: string): Promise<PaymentIntent> => {
  const { scope, transact, now } = request
  const details = UUID.test(id)
    ? await transact(async (db) => {
        const head = await findIntentHead(db, scope, { id })
        if (head === undefined) return undefined
        const items = await listIntentItems(db, scope, id)
        const attempts = await listIntentAttempts(db, scope, id)
        const amounts = findProviderFor(payments, head.provider ?? '')?.amounts
        const rules = applicableFeeRules(await listFeeRulesIn(db, scope, head.currency), amounts)
        const paysByBank = await isDefaultMethodBank(db, scope)
        return { head, items, attempts, rules, paysByBank, now }
      })
    : undefined
  if (details === undefined) throw notFound()
  const active = findActiveAttempt(details.attempts)
  const payment = active === undefined ? null : await readPaymentSummary(payments, { ...scope, id: active.id })
  const receiptEmail = active === undefined ? await readReceiptEmail(request) : null
  const payTokenOf = (invoiceId: number): string => payToken(payments.keys, scope.customerId, invoiceId)
  return toPaymentIntent({ ...details, payment, receiptEmail, payTokenOf })
}

type PayBody = RequestInput<typeof bulkPayment.pay>['body']

/**
 * Charges an intent at the provider, with a stored method or a new card. Too many declined payments of the user are refused before.
 * @throws ApiError as chargeIntent and toPayResponse
 */
export const payIntent = async (
  deps: BulkPaymentDeps,
  request: CustomerRequestContext,
  body: PayBody,
): Promise<ResponseBody<typeof bulkPayment.pay>> => {
  const account = await requireBulkAccount(deps, request)
  const { scope, requestInfo } = request
  const intent = await requireNamedIntent(request, body)
  const target = `intent ${intent.id}`
  const framed =
    body.cardId === undefined
      ? framedMethodOf(deps.payments, account, {
          state: body.cardToken,
          target,
          isFor: (state) => state.purpose === 'bulk' && state.intentId === intent.id && state.customerId === scope.customerId,
        })
      : null
  const method = await chooseMethod(deps, request, account, body, framed?.typedMethod ?? null)
  const resultUrl = await portalUrl(deps.payments, scope, '/payment-result')
  const chargeRequest: ChargeRequest = {
    intentId: intent.id,
    ...method,
    submission:
      framed?.submission ??
      submissionFromHeader(
        deps.payments.keys,
        target,
        requestInfo.idempotencyKey,
        'method' in method.source ? method.source.method.token : cardFingerprint(body),
      ),
    receiptEmail: parseReceiptEmail(body.email),
    shownMinor: shownMinorOf(intent, method.isDebit, framed?.shownTotal ?? body.shownTotal),
    returnUrl: (attemptId) => `${resultUrl}?req_uid=${attemptId}`,
    client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
  }
  const uses = userDeclineUses({ keys: deps.payments.keys, limits: deps.limits }, request.actor.userId)
  const attempt = await limitDeclinedPayments(request, uses, (attemptId) =>
    chargeIntent(deps.payments, account, scope, { ...chargeRequest, attemptId }),
  )
  return toPayResponse(deps.payments, attempt)
}

/**
 * The total that the payer was shown, in minor units: what the browser says, else what the intent came to when it was made; null where
 * neither is known.
 */
export const shownMinorOf = (
  { currency, cardTotalMinor, bankTotalMinor }: IntentHead,
  isDebit: boolean,
  shownTotal: string | number | undefined,
): number | null => parseShownTotal(shownTotal, currency) ?? (isDebit ? bankTotalMinor : cardTotalMinor)

/**
 * Finds the customer's payment intent that a request's body names by id or session id.
 * @throws ApiError 400 when the body names none; 404 when the customer has no such intent
 */
const requireNamedIntent = async ({ scope, transact }: CustomerRequestContext, { uid, sessionId }: PayBody): Promise<IntentHead> => {
  if (uid === undefined && sessionId === undefined) throw invalidInput('body.sessionId', 'body.sessionId is missing.')
  const byId = uid !== undefined && UUID.test(uid) ? uid : undefined
  const intent = await transact(async (db) => {
    if (byId !== undefined) return findIntentHead(db, scope, { id: byId })
    return findIntentHead(db, scope, { sessionId: sessionId ?? uid ?? '' })
  })
  if (intent === undefined || (sessionId !== undefined && intent.sessionId !== sessionId)) throw notFound()
  return intent
}

/**
 * The stored method that pays; undefined for a new card. Where the provider's forms name it in `cardToken`, that is enough.
 * @throws ApiError 400 when the two name different ones
 */
const methodIdOf = ({ provider }: Account, { cardId, cardToken }: PayBody): string | undefined => {
  if (provider.entry.acceptsStoredMethodInCardToken !== true || cardToken === undefined || cardToken === '') return cardId
  if (cardId !== undefined && cardId !== cardToken)
    throw invalidInput('body.cardToken', 'body.cardId and body.cardToken name different payment methods.')
  return cardToken
}

/**
 * What pays: the new card in the body, or the customer's stored method that the body names.
 * @throws ApiError 400 for bad card fields, or when the reseller's payment type has changed meanwhile
 */
const chooseMethod = async (
  deps: BulkPaymentDeps,
  request: CustomerRequestContext,
  account: Account,
  body: PayBody,
  framed: TypedMethod | null,
): Promise<MethodToPay> => {
  const { needsAddress, paymentType } = await request.transact((db) => readFormRules(db, request.scope))
  if (body.paymentType !== undefined && body.paymentType !== paymentType)
    throw invalidInput('body.paymentType', 'The payment type has changed. Please reload the page.')
  const methodId = methodIdOf(account, body)
  if (methodId === undefined) {
    const card = parseNewCard(body, { needsHolder: true, needsAddress, framed, account, now: request.now })
    return { source: { card }, methodId: null, methodType: 'card', isDebit: false }
  }
  assertNoRawCard(body)
  return requireStoredMethod(deps.payments, account, request.scope, { id: methodId, type: body.type })
}

/**
 * The outcome of a payment whose payer returns from confirming it. The provider is asked; nothing in the URL is trusted. An unconfirmed
 * payment is canceled at the provider, so that it can be paid again.
 * @throws ApiError 404 without such a payment of this customer
 */
export const readConfirmationResult = async (
  deps: BulkPaymentDeps,
  { scope, transact }: CustomerRequestContext,
  { paymentIntent, paymentIntentClientSecret, reqUid }: RequestInput<typeof bulkPayment.result>['body'],
): Promise<ResponseBody<typeof bulkPayment.result>> => {
  const byId = typeof reqUid === 'string' && UUID.test(reqUid) ? { id: reqUid } : null
  const isNamed = typeof paymentIntent === 'string' && paymentIntent !== '' && paymentIntent !== reqUid
  const byReference = isNamed ? { providerRef: paymentIntent } : null
  const method = byId ?? byReference
  const found = method === null ? undefined : await transact((db) => findAttempt(db, scope, method))
  if (found === undefined || (byReference !== null && found.providerRef !== byReference.providerRef)) throw notFound()
  if (paymentIntentClientSecret && !paymentIntentClientSecret.startsWith(`${found.providerRef}_secret_`)) throw notFound()
  const key = { ...scope, id: found.id }
  const current = await lookUpAttempt(deps.payments, key, 'return')
  const attempt = current.status === 'requires_action' ? await cancelAttempt(deps.payments, current) : current
  return {
    status: isLive(attempt.status) ? 2 : toIntentStatus(attempt),
    error: failureMessage(attempt),
    id: attempt.intentId,
    receiptId: hasReceipt(attempt.status) ? attempt.id : null,
    payment: failureMessage(attempt) === null ? await readPaymentSummary(deps.payments, key) : null,
  }
}
