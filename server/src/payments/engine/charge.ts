import { randomUUID } from 'node:crypto'
import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { addMs } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { Account } from '../accounts/accounts.ts'
import { FIRST_CHECK_MS } from '../attempts/transition.rules.ts'
import { type ClaimResult, claimIntent, type PaymentRequest } from './claim.ts'
import { markSubmitting, saveReference } from './claim.queries.ts'
import { cancelAttempt, lookUpAttempt } from './look-up.ts'
import { toReturnUrl } from '../returns/payment-return.ts'
import { ensureProviderCustomer, recreateProviderCustomer } from '../methods/provider-customers.ts'
import { readAfterLoss } from './read-after-loss.ts'
import { waitForOutcome } from './wait-for-outcome.ts'
import { transactAsReseller, queryAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { PayerScope } from '../../session/scope.ts'
import type { ChargeOrder, ChargeResult, ClientInfo } from '../providers/provider.ts'
import type { KnownMethod, NewCard } from '../providers/method.ts'
import { redactResult, redactRawCard } from '../methods/raw-card.rules.ts'
import { settleAttempt } from './settle.ts'
import { type Attempt, type AttemptKey, findAttempt } from './settle.queries.ts'

/** What to pay, and how to charge it. */
export interface ChargeRequest extends Omit<PaymentRequest, 'provider' | 'accountId' | 'providerRules'> {
  /** The id of the new attempt, if there is to be one: its caller tells it from an earlier one by it. Any when absent. */
  readonly attemptId?: string
  /** A stored method, or a card that is not stored. */
  readonly source: { readonly method: Pick<KnownMethod, 'token' | 'kind' | 'details'> } | { readonly card: NewCard }
  /** Where the browser returns after confirming; null when no payer is present. */
  readonly returnUrl: ((attemptId: string) => string) | null
  readonly client: ClientInfo | null
}

/**
 * Charges an intent: claims its invoices, submits the charge, settles the result, in three short transactions; none is open while the
 * provider is called (docs/decisions/0004). A repeated submission gets the outcome of the first. When the database is lost on the way, what
 * it stored is read again, so that a payment never answers "try again".
 * @returns the attempt as it stands, which need not have paid
 * @throws ApiError 409 while another payment is in progress, when the intent is paid, and when the amount due has changed
 */
export const chargeIntent = async (
  deps: PaymentsDeps,
  account: Account,
  customer: PayerScope,
  request: ChargeRequest,
): Promise<Attempt> => {
  const { attemptId = randomUUID() } = request
  try {
    return await chargeAs(deps, account, customer, { ...request, attemptId })
  } catch (error) {
    return readAfterLoss(deps, { ...customer, id: attemptId }, error)
  }
}

interface NamedChargeRequest extends ChargeRequest {
  /** The id of the new attempt, if there is to be one. */
  readonly attemptId: string
}

const chargeAs = async (deps: PaymentsDeps, account: Account, customer: PayerScope, request: NamedChargeRequest): Promise<Attempt> => {
  const claim = await claimOrReleaseEarlier(deps, account, customer, request)
  if (claim.kind === 'busy') throw new ApiError('payment_in_progress', PROCESSING_TEXT, { userMessage: PROCESSING_TEXT })
  const key = { ...customer, id: claim.attemptId }
  if (claim.kind === 'repeated') return waitForOutcome(deps, key)
  const isSubmitting = await queryAsReseller(deps, customer.resellerId, (db) =>
    markSubmitting(db, key, deps.clock(), addMs(deps.clock(), FIRST_CHECK_MS)),
  )
  if (!isSubmitting) return waitForOutcome(deps, key)
  return settleAttempt(deps, key, await submitCharge(deps, account, key, claim, request), 'answer')
}

/** Release invoices that an abandoned attempt still claims, such as one that its payer never confirmed. */
const claimOrReleaseEarlier = async (
  deps: PaymentsDeps,
  account: Account,
  customer: PayerScope,
  { attemptId, ...request }: NamedChargeRequest,
): Promise<ClaimResult> => {
  const paymentRequest: PaymentRequest = {
    ...request,
    provider: account.provider.name,
    accountId: account.id,
    providerRules: account.provider,
  }
  const claim = await claimIntent(deps, customer, paymentRequest, attemptId)
  if (claim.kind !== 'busy' || claim.attemptId === null) return claim
  const earlier = await transactAsReseller(deps, customer.resellerId, (db) => findAttempt(db, { ...customer, id: claim.attemptId ?? '' }))
  if (earlier === undefined || (earlier.status !== 'requires_action' && earlier.status !== 'unknown')) return claim
  if (earlier.status === 'requires_action') await cancelAttempt(deps, earlier)
  else await lookUpAttempt(deps, earlier, 'return')
  return claimIntent(deps, customer, paymentRequest, attemptId)
}

const submitCharge = async (
  deps: PaymentsDeps,
  account: Account,
  key: AttemptKey,
  claim: Extract<ClaimResult, { kind: 'claimed' }>,
  request: ChargeRequest,
): Promise<ChargeResult> => {
  const { provider, context: providerContext, legalName } = account
  let mayHaveMoved = false
  try {
    const order: ChargeOrder = {
      ourRef: claim.ourRef,
      amount: { minor: BigInt(claim.amountMinor), currency: claim.currency },
      methodType: request.methodType,
      invoiceNumbers: claim.invoiceNumbers,
      legalName,
      customerId: key.customerId,
      startRef: claim.startRef,
      providerCustomerId:
        'method' in request.source ? await ensureProviderCustomer(deps, account, key, request.source.method.details) : null,
      returnUrl: toReturnUrl(deps, provider, { attemptId: key.id, pageUrl: request.returnUrl?.(key.id) ?? null }),
      client: request.client,
      saveReference: async (providerRef, method) => {
        const outcome = await queryAsReseller(deps, key.resellerId, (db) => saveReference(db, key, providerRef, method ?? null))
        if (outcome === 'settled') throw new Error('the attempt was settled meanwhile')
        if (outcome === 'changed') throw new Error('what it pays was changed meanwhile')
      },
    }
    mayHaveMoved = true
    if ('method' in request.source) {
      const method = { ...request.source.method, providerCustomerId: order.providerCustomerId }
      const result = await provider.chargeStoredMethod(providerContext, order, method)
      if (result.state === 'declined' && result.isCustomerGone) await recreateCustomer(deps, account, key, method)
      return result
    }
    if (provider.chargeNewCard === undefined) return { state: 'not_sent', detail: `${provider.name} accepts no new cards` }
    const { card } = request.source
    return await awaitRedacted(card, provider.chargeNewCard(providerContext, order, card))
  } catch (error) {
    deps.log.error({ err: error, attemptId: key.id, provider: provider.name }, 'a charge failed')
    const detail = error instanceof Error ? error.message : 'the charge failed'
    return mayHaveMoved ? { state: 'unknown', detail } : { state: 'not_sent', detail }
  }
}

/** A provider's text about a card number may repeat it; redact it before it is stored, logged or shown. */
const awaitRedacted = async ({ entry }: NewCard, result: Promise<ChargeResult>): Promise<ChargeResult> => {
  if (entry.kind !== 'card') return result
  try {
    return redactResult(await result, entry.card)
  } catch (error) {
    // Without `cause`, which would be logged with the card number.
    throw new Error(redactRawCard(error instanceof Error ? error.message : 'the charge failed', entry.card)) // oxlint-disable-line preserve-caught-error
  }
}

/** Recreate the customer so that a method can be stored again; the payment does not depend on it. */
const recreateCustomer = async (
  deps: PaymentsDeps,
  account: Account,
  customer: PayerScope,
  { providerCustomerId: formerId, details }: KnownMethod,
): Promise<void> => {
  if (formerId === null) return
  await recreateProviderCustomer(deps, account, customer, formerId, details).catch((error: unknown) =>
    deps.log.warn({ err: error, provider: account.provider.name }, 'a customer could not be recreated at the provider'),
  )
}
