import type { Account } from '../accounts/accounts.ts'
import { ensureProviderCustomer, recreateProviderCustomer } from '../methods/provider-customers.ts'
import { redactRawCard, redactResult } from '../providers/raw-card.rules.ts'
import { queryAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import { RefusedByProvider } from '../providers/decline.ts'
import type { ChargeOrder } from '../providers/order.ts'
import type { KnownMethod, MethodSummary, RawCard } from '../providers/method.ts'
import type { NotPrepared, PreparedCharge } from '../providers/prepared-charge.ts'
import { toReturnUrl } from '../returns/payment-return.ts'
import type { ChargeRequest, ChargeSource } from './charge.ts'
import { mintChargePermit, type SendWindow } from '../providers/charge-permit.ts'
import type { ClaimResult } from './claim.ts'
import { type NotSentCause, passFence, saveMethodSummary } from './claim.queries.ts'
import { cancelAttempt } from './look-up.ts'
import { settleAttempt } from './settle.ts'
import type { Attempt, AttemptKey } from '../attempts/attempt.queries.ts'

/** An attempt that is marked as submitting. */
export type Submitting = Extract<ClaimResult, { kind: 'claimed' }> & { readonly key: AttemptKey; readonly window: SendWindow }

/**
 * Submits a claimed charge: prepares it at the provider, passes the fence, sends it, and settles the outcome. Whatever ends it before it is
 * sent ends it as `not_sent`, and what the preparation left at the provider is removed.
 * @returns the attempt as it stands, also where somebody else ended it meanwhile
 */
export const submitCharge = async (
  deps: PaymentsDeps,
  account: Account,
  submitting: Submitting,
  request: ChargeRequest,
): Promise<Attempt> => {
  const { key } = submitting
  const { source } = request
  const { prepared, providerCustomerId } = await prepareCharge(deps, account, submitting, request)
  const answer = 'state' in prepared ? prepared : await sendPrepared(deps, account, submitting, prepared, source)
  if (answer.state === 'declined' && answer.isCustomerGone && 'method' in source)
    await recreateCustomer(deps, account, key, providerCustomerId, source.method)
  const settled = await settleAttempt(deps, key, answer, 'answer')
  if (answer.state === 'not_sent' && 'submit' in prepared) await discardPrepared(deps, account, key, prepared)
  // What it pays was changed while it was sent: its payer must not confirm it.
  return settled.status === 'requires_action' && settled.cancelRequestedAt !== null ? cancelAttempt(deps, settled) : settled
}

interface Preparation {
  readonly prepared: PreparedCharge | NotPrepared
  readonly providerCustomerId: string | null
}

/**
 * Asks the provider to prepare the charge, and creates its customer if needed. Nothing is thrown: what fails here has moved nothing and is
 * `not_sent`, or a decline.
 */
const prepareCharge = async (
  deps: PaymentsDeps,
  account: Account,
  submitting: Submitting,
  request: ChargeRequest,
): Promise<Preparation> => {
  const { provider, context } = account
  const { source } = request
  try {
    const order = await toOrder(deps, account, submitting, request)
    const { providerCustomerId } = order
    if ('method' in source) {
      const method = { ...source.method, providerCustomerId }
      return { prepared: await provider.prepareStoredMethodCharge(context, order, method), providerCustomerId }
    }
    if (provider.prepareNewCardCharge === undefined)
      return { prepared: { state: 'not_sent', detail: `${provider.name} accepts no new cards` }, providerCustomerId }
    const prepared = await provider.prepareNewCardCharge(context, order, source.card)
    return { prepared: 'state' in prepared ? withoutRawCard(prepared, source) : prepared, providerCustomerId }
  } catch (error) {
    if (error instanceof RefusedByProvider) return { prepared: withoutRawCard(error.decline, source), providerCustomerId: null }
    return {
      prepared: { state: 'not_sent', detail: logFailure(deps, account, submitting.key, source, error) },
      providerCustomerId: null,
    }
  }
}

/** What the provider is sent of a charge. The customer is created at the provider first if a stored method needs one. */
const toOrder = async (
  deps: PaymentsDeps,
  account: Account,
  { key, ...claim }: Submitting,
  { methodType, source, returnUrl, client }: ChargeRequest,
): Promise<ChargeOrder> => ({
  merchantReference: claim.merchantReference,
  amount: { minor: BigInt(claim.amountMinor), currency: claim.currency },
  methodType,
  invoiceNumbers: claim.invoiceNumbers,
  legalName: account.legalName,
  customerId: key.customerId,
  entryReference: claim.entryReference,
  providerCustomerId: 'method' in source ? await ensureProviderCustomer(deps, account, key, source.method.details) : null,
  returnUrl: toReturnUrl(deps, account.provider.entry, { attemptId: key.id, pageUrl: returnUrl?.(key.id) ?? null }),
  client,
})

/** Of an automatic payment whose customer stopped allowing it after it had begun. */
export const CONSENT_WITHDRAWN_TEXT = 'Automatic payments were not allowed any more. Nothing was charged.'

const NOT_SENT: Readonly<Record<NotSentCause, Extract<ChargeResult, { state: 'not_sent' }>>> = {
  settled: { state: 'not_sent', detail: 'it was settled meanwhile' },
  changed: {
    state: 'not_sent',
    detail: 'what it pays was changed meanwhile',
    userMessage: 'The amount due had changed. Nothing was charged.',
  },
  withdrawn: {
    state: 'not_sent',
    detail: 'the customer withdrew the consent meanwhile',
    userMessage: CONSENT_WITHDRAWN_TEXT,
  },
  late: { state: 'not_sent', detail: 'it took too long to prepare' },
}

/** Passes the fence and sends the charge. A fence that cannot be passed sends nothing; a failure after it is `unknown`, never thrown. */
const sendPrepared = async (
  deps: PaymentsDeps,
  account: Account,
  { key, window }: Submitting,
  prepared: PreparedCharge,
  source: ChargeSource,
): Promise<ChargeResult> => {
  const { providerRef, method = null } = prepared
  let mayHaveMoved = false
  try {
    const cause = await queryAsReseller(deps, key.resellerId, (db) => passFence(db, key, { providerRef, method }, deps.clock()))
    if (cause !== null) return NOT_SENT[cause]
    mayHaveMoved = true
    const { method: shown, ...result } = await prepared.submit(mintChargePermit(window))
    if (shown !== undefined) await trySaveMethodSummary(deps, key, shown)
    return withoutRawCard(result, source)
  } catch (error) {
    return { state: mayHaveMoved ? 'unknown' : 'not_sent', detail: logFailure(deps, account, key, source, error) }
  }
}

/** Stores the summary of the card, and only logs a failure: money may have moved by now, and the summary is for display alone. */
const trySaveMethodSummary = (deps: PaymentsDeps, key: AttemptKey, method: MethodSummary): Promise<void> =>
  queryAsReseller(deps, key.resellerId, (db) => saveMethodSummary(db, key, method)).catch((error: unknown) =>
    deps.log.warn({ err: error, attemptId: key.id }, 'the card of a payment could not be kept'),
  )

/** Removes what a preparation left at the provider; a failure is only logged. */
const discardPrepared = async (deps: PaymentsDeps, { provider }: Account, key: AttemptKey, prepared: PreparedCharge): Promise<void> => {
  try {
    await prepared.discard?.()
  } catch (error) {
    deps.log.warn({ err: error, attemptId: key.id, provider: provider.name }, 'a prepared charge could not be removed at the provider')
  }
}

/** The card typed in the clear that pays; null for any other source. */
const rawCardOf = (source: ChargeSource): RawCard | null =>
  'card' in source && source.card.typedMethod.kind === 'card' ? source.card.typedMethod.card : null

/** A result without the number and code of the card that pays: a provider's text may repeat them, and is stored, logged or shown. */
const withoutRawCard = <Result extends ChargeResult>(result: Result, source: ChargeSource): Result => {
  const raw = rawCardOf(source)
  return raw === null ? result : redactResult(result, raw)
}

/**
 * Logs a failed charge as an error.
 * @returns its message, without a raw card's number
 */
const logFailure = (deps: PaymentsDeps, { provider }: Account, { id }: AttemptKey, source: ChargeSource, error: unknown): string => {
  const raw = rawCardOf(source)
  const text = error instanceof Error ? error.message : 'the charge failed'
  const detail = raw === null ? text : redactRawCard(text, raw)
  // Of a raw card's failure only the text is logged: the error itself may hold the number.
  deps.log.error({ err: raw === null ? error : new Error(detail), attemptId: id, provider: provider.name }, 'a charge failed')
  return detail
}

/**
 * Creates the customer at the provider again, so that a method can be stored again. A failure is only logged: the payment does not depend
 * on it.
 */
const recreateCustomer = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  formerId: string | null,
  { details }: Pick<KnownMethod, 'details'>,
): Promise<void> => {
  if (formerId === null) return
  await recreateProviderCustomer(deps, account, customer, formerId, details).catch((error: unknown) =>
    deps.log.warn({ err: error, provider: account.provider.name }, 'a customer could not be recreated at the provider'),
  )
}
