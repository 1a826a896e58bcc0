import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { later } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { Account } from '../accounts/accounts.ts'
import { FIRST_CHECK_MS } from './transition.rules.ts'
import { type Claimed, claim, type PaymentRequest } from './claim.ts'
import { markSubmitting, noteReference } from './claim.queries.ts'
import { giveUp, lookUp } from './look-up.ts'
import { providerCustomerOf, recreateProviderCustomer } from '../methods/provider-customers.ts'
import { outcomeOf } from './outcome.ts'
import { transactAsReseller, queryAsReseller, type CustomerKey, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeOrder, ChargeResult, NewCard, ClientInfo } from '../providers/provider.ts'
import { resultWithout, withoutRawCard } from '../methods/raw-card.rules.ts'
import { settle } from './settle.ts'
import { type Attempt, type AttemptKey, attemptRow } from './settle.queries.ts'

/** A wish, and how it is carried out. */
export interface ChargeRequest extends Omit<PaymentRequest, 'provider' | 'hasFees'> {
  /** A stored method's token, or a card as it was typed. */
  readonly source: { readonly token: string } | { readonly card: NewCard }
  /** Where the browser comes back to after the payer confirmed; null when nobody sits before it. */
  readonly returnUrl: ((attemptId: string) => string) | null
  readonly payer: ClientInfo | null
}

/**
 * Pays an intent: claims its invoices, sends the order, writes what became of it; three short transactions, and none is open while the
 * order is on its way (docs/decisions/0004). Paying the same thing twice is refused, or answered by what became of the first.
 * @returns the attempt as it stands: not every one has paid
 * @throws Refusal 409 while another payment is under way, when it is paid, and when what is due has changed
 */
export const charge = async (deps: PaymentsDeps, account: Account, payer: CustomerKey, request: ChargeRequest): Promise<Attempt> => {
  const claimed = await claimOrFree(deps, account, payer, request)
  if (claimed.is === 'busy') throw new ApiError(409, PROCESSING_TEXT, { userMessage: PROCESSING_TEXT })
  const key = { ...payer, id: claimed.attemptId }
  if (claimed.is === 'repeat') return outcomeOf(deps, key)
  const isOurs = await queryAsReseller(deps, payer.resellerId, (db) =>
    markSubmitting(db, payer.customerId, key.id, deps.clock(), later(deps.clock(), FIRST_CHECK_MS)),
  )
  if (!isOurs) return outcomeOf(deps, key)
  return settle(deps, key, await submitCharge(deps, account, key, claimed, request), 'answer')
}

/** An earlier attempt that nobody goes on with, such as a confirmation that was never given, must not keep its invoices for ever. */
const claimOrFree = async (deps: PaymentsDeps, account: Account, payer: CustomerKey, request: ChargeRequest): Promise<Claimed> => {
  const full: PaymentRequest = { ...request, provider: account.provider.name, hasFees: account.provider.name === 'stripe' }
  const claimed = await claim(deps, payer, full)
  if (claimed.is !== 'busy' || claimed.attemptId === null) return claimed
  const other = await transactAsReseller(deps, payer.resellerId, (db) => attemptRow(db, { ...payer, id: claimed.attemptId ?? '' }))
  if (other === undefined || (other.status !== 'action' && other.status !== 'unknown')) return claimed
  if (other.status === 'action') await giveUp(deps, other)
  else await lookUp(deps, other, 'return')
  return claim(deps, payer, full)
}

const submitCharge = async (
  deps: PaymentsDeps,
  account: Account,
  key: AttemptKey,
  claimed: Extract<Claimed, { is: 'new' }>,
  request: ChargeRequest,
): Promise<ChargeResult> => {
  const { provider, call, companyName } = account
  let mayHaveMoved = false
  try {
    const order: ChargeOrder = {
      attemptId: key.id,
      amount: { minor: BigInt(claimed.amountMinor), currency: claimed.currency },
      methodType: request.methodType,
      invoiceNumbers: claimed.invoiceNumbers,
      legalName: companyName,
      providerCustomerId: 'token' in request.source ? await providerCustomerOf(deps, account, key) : null,
      returnUrl: request.returnUrl?.(key.id) ?? null,
      client: request.payer,
      announce: async (providerRef, method) => {
        const isNoted = await queryAsReseller(deps, key.resellerId, (db) => noteReference(db, key, providerRef, method ?? null))
        if (!isNoted) throw new Error('the attempt was settled meanwhile')
      },
    }
    mayHaveMoved = true
    if ('token' in request.source) {
      const result = await provider.chargeStored(call, order, request.source.token)
      if (result.state === 'declined' && result.isCustomerGone) await recreateCustomer(deps, account, key, order.providerCustomerId)
      return result
    }
    if (provider.chargeNew === undefined) return { state: 'not-sent', detail: `${provider.name} takes no new cards` }
    const { card } = request.source
    return await redactRawCard(card, provider.chargeNew(call, order, card))
  } catch (error) {
    deps.log.error({ err: error, attemptId: key.id, provider: provider.name }, 'a payment broke off')
    const detail = error instanceof Error ? error.message : 'it broke off'
    return mayHaveMoved ? { state: 'unknown', detail } : { state: 'not-sent', detail }
  }
}

/** A company's words about a raw card may repeat it; those that are kept, logged or shown do not. */
const redactRawCard = async ({ raw }: NewCard, answer: Promise<ChargeResult>): Promise<ChargeResult> => {
  if (raw === undefined) return answer
  try {
    return resultWithout(await answer, raw)
  } catch (error) {
    // Not as its cause: that would be logged with it.
    throw new Error(withoutRawCard(error instanceof Error ? error.message : 'it broke off', raw)) // oxlint-disable-line preserve-caught-error
  }
}

/** So that the payer can store a method again; what became of the payment does not depend on it. */
const recreateCustomer = async (deps: PaymentsDeps, account: Account, payer: CustomerKey, owner: string | null): Promise<void> => {
  if (owner === null) return
  await recreateProviderCustomer(deps, account, payer, owner).catch((error: unknown) =>
    deps.log.warn({ err: error, provider: account.provider.name }, 'a customer could not be made known anew'),
  )
}
