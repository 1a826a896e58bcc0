import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import { auditActor, writeAudit } from '../../audit/audit.ts'
import { notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, readPaymentMode, requireAccount } from '../../payments/accounts/accounts.ts'
import { listStoredMethods, type WriteMethodAudit } from '../../payments/methods/stored-methods.ts'
import { findProviderFor, type PaymentsDeps } from '../../payments/payments-deps.ts'
import { RefusedByProvider, isRejectedRequest } from '../../payments/providers/decline.ts'
import type { StoreMethodResult } from '../../payments/providers/storing.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import type { MethodRow } from '../../payments/providers/method.ts'

export interface PaymentMethodsDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

/** The path family whose lists are there, and empty, for a reseller without payments. */
const FAMILY_WITHOUT_PAYMENTS = 'payments'

/**
 * Checks that a path of this family is the reseller's provider's; of another provider it does not exist.
 * @returns the reseller's provider; null without payments
 * @throws ApiError 404 when it is another provider's
 */
export const requirePathFamily = async (
  { payments }: PaymentMethodsDeps,
  resellerId: number,
  pathFamily: string,
): Promise<ProviderName | null> => {
  const { provider } = await readPaymentMode(payments, resellerId)
  const expected = provider === null ? FAMILY_WITHOUT_PAYMENTS : findProviderFor(payments, provider)?.storing.pathFamily
  if (pathFamily !== expected) throw notFound()
  return provider
}

/** The function that writes the audit event of a changed method, in the caller's transaction. */
export const auditWriter =
  (
    { payments }: PaymentMethodsDeps,
    { actor, scope, requestInfo, now }: CustomerRequestContext,
    event: 'added' | 'changed' | 'removed' | 'made-default',
  ): WriteMethodAudit =>
  (db, methodId) =>
    writeAudit(db, payments.keys, now, {
      resellerId: scope.resellerId,
      customerId: scope.customerId,
      action: `payment-method.${event}`,
      actor: auditActor(actor),
      subject: `payment method ${methodId}`,
      source: requestInfo.address,
    })

/** The reseller's account at its payment provider. @throws ApiError 404 when this family of paths is another provider's */
export const requireFamilyAccount = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  pathFamily: string,
): Promise<Account> => {
  await requirePathFamily(deps, scope.resellerId, pathFamily)
  return requireAccount(deps.payments, scope.resellerId)
}

const UNREACHABLE_TEXT = 'We could not reach the payment provider. Please try again.'

/** A provider's refusal to store a method, or its silence (503), as the browser is told. */
export const toApiError = (result: Extract<StoreMethodResult, { state: 'declined' | 'unknown' }>): ApiError =>
  result.state === 'declined'
    ? new ApiError(isRejectedRequest(result.reason) ? 'provider_refused' : 'method_declined', result.userMessage, {
        userMessage: result.userMessage,
      })
    : new ApiError('provider_unavailable', UNREACHABLE_TEXT, { userMessage: UNREACHABLE_TEXT })

/** Waits for a call to the provider, and turns its errors into ApiErrors: a refusal as toApiError, anything else into a 503. */
export const callProvider = async <T>(result: Promise<T>): Promise<T> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof RefusedByProvider) throw toApiError(error.decline)
    throw new ApiError('provider_unavailable', UNREACHABLE_TEXT, { userMessage: UNREACHABLE_TEXT, cause: error })
  }
}

/**
 * The stored method of the customer with that id, from our records.
 * @throws ApiError 404, the same for another customer's and for a missing one
 */
export const requireOwnMethod = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  account: Account,
  id: string,
): Promise<MethodRow> => {
  const found = (await listStoredMethods(deps.payments, account.id, scope)).find((row) => row.id === id)
  if (found === undefined) throw notFound()
  return found
}
