import { randomUUID } from 'node:crypto'
import type { bulkPayment, PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { addMs } from '../../kit/clock.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, portalUrl, requireAccount } from '../../payments/accounts/accounts.ts'
import { hasReceipt, isLive } from '../../payments/engine/attempt.ts'
import { chargeIntent, type ChargeRequest } from '../../payments/engine/charge.ts'
import { limitDeclines } from '../../payments/engine/decline-limit.ts'
import { cancelAttempt, lookUpAttempt } from '../../payments/engine/look-up.ts'
import { listStoredMethods } from '../../payments/methods/stored-methods.ts'
import { failureMessage, toIntentStatus, toPayResponse } from '../../payments/pay-response.ts'
import { cardFingerprint, parseReceiptEmail, parseNewCard, assertNoRawCard } from '../../payments/methods/card-form.rules.ts'
import type { PaymentsDeps } from '../../payments/payments-deps.ts'
import { submissionFromHeader } from '../../payments/engine/submission.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { newSecret } from '../../session/tokens.ts'
import {
  dueAdjustments,
  feeRulesIn,
  formRules,
  type IntentHead,
  insertIntent,
  intentAttempts,
  intentHead,
  intentItems,
  ownAttempt,
  paysByBank,
  wantedInvoices,
} from './bulk-payment.queries.ts'
import { intentOf, refuseUnpayable } from './bulk-payment.rules.ts'

export interface BulkPaymentDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

const INTENT_MS = 24 * 3_600_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const bulkAccount = async ({ payments }: BulkPaymentDeps, { scope }: CustomerRequestContext): Promise<Account> => {
  const account = await requireAccount(payments, scope.resellerId)
  if (!account.allowsBulk) throw new ApiError('bulk_payments_unavailable', 'Paying several invoices at once is not available.')
  return account
}

/**
 * Begins to pay several invoices, with the adjustments that are due in their currency.
 * @throws Refusal 403 where it is switched off; 404 and 409 as refuseUnpayable says
 */
export const createIntent = async (
  deps: BulkPaymentDeps,
  ask: CustomerRequestContext,
  invoiceIds: readonly number[],
): Promise<PaymentIntent> => {
  await bulkAccount(deps, ask)
  const { scope, transact, actor, now } = ask
  const id = randomUUID()
  await transact(async (db) => {
    const invoices = await wantedInvoices(db, scope, invoiceIds)
    refuseUnpayable(invoiceIds.length, invoices)
    const currency = invoices[0]?.currency ?? ''
    const adjustments = await dueAdjustments(db, scope, currency)
    const items = [
      ...invoices.map((invoice) => ({ invoiceId: invoice.id, adjustmentId: null, amountMinor: invoice.dueMinor })),
      ...adjustments.map((adjustment) => ({ invoiceId: null, adjustmentId: adjustment.id, amountMinor: adjustment.amountMinor })),
    ]
    const times = { createdAt: now, expiresAt: addMs(now, INTENT_MS) }
    await insertIntent(db, scope, { id, sessionId: newSecret(), currency, createdBy: actor.userId, ...times, items })
  })
  return readIntent(ask, id)
}

/** An intent as it stands. @throws Refusal 404, the same for a foreign and for a missing one */
export const readIntent = async ({ scope, transact, now }: CustomerRequestContext, id: string): Promise<PaymentIntent> => {
  const whole = UUID.test(id)
    ? await transact(async (db) => {
        const head = await intentHead(db, scope, { id })
        if (head === undefined) return undefined
        const items = await intentItems(db, scope, id)
        const attempts = await intentAttempts(db, scope, id)
        const rules = await feeRulesIn(db, scope, head.currency)
        return { head, items, attempts, rules, paysByBank: await paysByBank(db, scope), now }
      })
    : undefined
  if (whole === undefined) throw notFound()
  return intentOf(whole)
}

type PayBody = RequestInput<typeof bulkPayment.pay>['body']

/**
 * Pays an intent with a stored method or a new card.
 * @throws Refusal as charge and payAnswer say
 */
export const payIntent = async (
  deps: BulkPaymentDeps,
  ask: CustomerRequestContext,
  body: PayBody,
): Promise<ResponseBody<typeof bulkPayment.pay>> => {
  const account = await bulkAccount(deps, ask)
  const { scope, requestInfo } = ask
  const intent = await intentNamed(ask, body)
  const by = await methodNamed(deps, ask, account, body)
  const back = await portalUrl(deps.payments, scope, '/payment-result')
  const wish: ChargeRequest = {
    intentId: intent.id,
    ...by,
    submission: submissionFromHeader(
      deps.payments.keys,
      `intent ${intent.id}`,
      requestInfo.idempotencyKey,
      'token' in by.source ? by.source.token : cardFingerprint(body),
    ),
    receiptEmail: parseReceiptEmail(body.email),
    returnUrl: (attemptId) => `${back}?req_uid=${attemptId}`,
    client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
  }
  return limitDeclines({ keys: deps.payments.keys, limits: deps.limits }, ask, ask.actor.userId, async () =>
    toPayResponse(deps.payments.keys, await chargeIntent(deps.payments, account, scope, wish)),
  )
}

const intentNamed = async ({ scope, transact }: CustomerRequestContext, { uid, sessionId }: PayBody): Promise<IntentHead> => {
  if (uid === undefined && sessionId === undefined) throw invalidInput('body.sessionId', 'body.sessionId is missing.')
  const byId = uid !== undefined && UUID.test(uid) ? uid : undefined
  const intent = await transact(async (db) => {
    if (byId !== undefined) return intentHead(db, scope, { id: byId })
    return intentHead(db, scope, { sessionId: sessionId ?? uid ?? '' })
  })
  if (intent === undefined || (sessionId !== undefined && intent.sessionId !== sessionId)) throw notFound()
  return intent
}

type By = Pick<ChargeRequest, 'source' | 'methodId' | 'methodType' | 'isDebit'>

const methodNamed = async (deps: BulkPaymentDeps, ask: CustomerRequestContext, account: Account, body: PayBody): Promise<By> => {
  const { needsAddress, paymentType } = await ask.transact((db) => formRules(db, ask.scope))
  if (body.paymentType !== undefined && body.paymentType !== paymentType)
    throw invalidInput('body.paymentType', 'The payment type has changed. Please reload the page.')
  if (body.cardId === undefined) {
    const card = parseNewCard(body, { needsHolder: true, needsAddress, takesRawCards: account.takesRawCards, now: ask.now })
    return { source: { card }, methodId: null, methodType: 'card', isDebit: false }
  }
  assertNoRawCard(body)
  const method = (await listStoredMethods(deps.payments, account.provider.name, ask.scope)).find(({ id }) => id === body.cardId)
  if (method === undefined) throw notFound()
  if ((body.type ?? 'card') !== method.type) throw invalidInput('body.type', `This method is paid with as ${method.type}.`)
  if (method.status !== 'ready')
    throw new ApiError('method_not_ready', 'This bank account is not confirmed yet. Please choose another method.')
  return { source: { token: method.token }, methodId: method.id, methodType: method.type, isDebit: method.kind === 'bank' }
}

/**
 * What became of a payment whose payer is back from confirming it: the company is asked, and what stood in the address is believed in
 * nothing. What was not confirmed is given up, so that it can be paid again.
 * @throws Refusal 404 without such a payment of this customer
 */
export const confirmationResult = async (
  deps: BulkPaymentDeps,
  { scope, transact }: CustomerRequestContext,
  { paymentIntent, paymentIntentClientSecret, reqUid }: RequestInput<typeof bulkPayment.result>['body'],
): Promise<ResponseBody<typeof bulkPayment.result>> => {
  const ours = typeof reqUid === 'string' && UUID.test(reqUid) ? { id: reqUid } : null
  const theirs = typeof paymentIntent === 'string' && paymentIntent !== '' ? { providerRef: paymentIntent } : null
  const by = ours ?? theirs
  const found = by === null ? undefined : await transact((db) => ownAttempt(db, scope, by))
  if (found === undefined || (theirs !== null && found.providerRef !== theirs.providerRef)) throw notFound()
  if (paymentIntentClientSecret && !paymentIntentClientSecret.startsWith(`${found.providerRef}_secret_`)) throw notFound()
  const key = { resellerId: scope.resellerId, customerId: scope.customerId, id: found.id }
  const looked = await lookUpAttempt(deps.payments, key, 'return')
  const attempt = looked.status === 'action' ? await cancelAttempt(deps.payments, looked) : looked
  return {
    status: isLive(attempt.status) ? 2 : toIntentStatus(attempt),
    error: failureMessage(attempt),
    id: attempt.intentId,
    receiptId: hasReceipt(attempt.status) ? attempt.id : null,
  }
}
