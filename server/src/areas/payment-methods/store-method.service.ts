import { randomUUID } from 'node:crypto'
import type { Stored } from '@counterfoil/contract/payment-methods'
import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, portalUrl } from '../../payments/accounts/accounts.ts'
import { limitDeclines, userDeclineUses } from '../../payments/engine/decline-limit.ts'
import type { MethodChanges } from '../../payments/providers/method-paths.ts'
import { withProviderCustomer } from '../../payments/methods/provider-customers.ts'
import { readMethodWithCustomer, saveMethod } from '../../payments/methods/stored-methods.ts'
import type { Contact, MethodRow, NewMethod } from '../../payments/providers/method.ts'
import { isRejectedRequest } from '../../payments/providers/decline.ts'
import type { StoreMethodResult } from '../../payments/providers/storing.ts'
import {
  auditWriter,
  callProvider,
  type PaymentMethodsDeps,
  requireFamilyAccount,
  requireOwnMethod,
  toApiError,
} from './method-family.service.ts'
import { MISPLACED_NUMBER_TEXT, requireEmail } from '../../payments/providers/payer-email.rules.ts'

/**
 * Stores a card, or a bank account of the kind that the reseller takes, at the provider and then here; a first method becomes the default.
 * The payer may have to confirm at a URL first (`requires_action`).
 * @throws ApiError 400 for a kind of typed method that the provider does not accept, and for a card number in the wrong place; a refusal as
 * toApiError; 429 after too many
 */
export const storeMethod = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  method: NewMethod,
): Promise<Stored> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  if (method.type !== 'card') assertAcceptsType(account, method.type)
  assertAcceptsTypedMethod(account, method)
  assertHasContact(account, method)
  const { typedMethod: _, ...beside } = method
  if (hasCardNumber(JSON.stringify(beside))) throw invalidInput('body', MISPLACED_NUMBER_TEXT)
  const uses = userDeclineUses({ keys: deps.payments.keys, limits: deps.limits }, request.actor.userId)
  const result = await limitDeclines(request, uses, {
    work: () => storeAtProvider(deps, request, account, method),
    isDeclined: (outcome) => outcome.state === 'declined' && !isRejectedRequest(outcome.reason),
  })
  return toStored(deps, request, account, result)
}

/** Checks that the reseller takes this kind of bank account. @throws ApiError otherwise */
export const assertAcceptsType = ({ debitKind }: Account, type: string): void => {
  if (debitKind?.type !== type) throw new ApiError('method_not_accepted', 'This kind of bank account is not taken here.')
}

const TOKEN_NEEDED_TEXT = 'Send the token of the card, not its number or code.'

/** @throws ApiError where the provider does not take what was typed in this form, or a card number came where only tokens are taken */
const assertAcceptsTypedMethod = ({ provider, acceptsRawCards }: Account, { typedMethod, type }: NewMethod): void => {
  const isCardNumber = typedMethod.kind === 'card' || (typedMethod.kind === 'sealed' && type === 'card')
  if (isCardNumber && !acceptsRawCards) throw invalidInput('body', TOKEN_NEEDED_TEXT)
  if (!provider.entry.accepts.includes(typedMethod.kind))
    throw new ApiError('method_not_accepted', 'A payment method is not entered this way here.')
  if (typedMethod.kind === 'token' && hasCardNumber(typedMethod.token)) throw invalidInput('body', TOKEN_NEEDED_TEXT)
}

/** @throws ApiError 400 where the provider needs the name and the email address of who stores a method */
const assertHasContact = ({ provider }: Account, { holder = '', email, type }: NewMethod): void => {
  if (provider.entry.payForm?.needsEmail !== true) return
  if (holder === '')
    throw type === 'card'
      ? invalidInput('body.cardholder', 'Enter the name on the card.')
      : invalidInput('body.accountHolderName', 'Enter the name of the account holder.')
  requireEmail(email)
}

/**
 * Has the provider store a method, for its customer, who is created there if need be. Nothing is stored here.
 * @throws ApiError 503 when the provider cannot be reached
 */
const storeAtProvider = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  account: Account,
  method: NewMethod,
): Promise<StoreMethodResult> => {
  const { scope, requestInfo } = request
  const options = {
    client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
    returnUrl: await portalUrl(deps.payments, scope, '/payment-types'),
    id: randomUUID(),
    customerId: scope.customerId,
    debitType: account.debitKind?.type ?? null,
  }
  return callProvider(
    withProviderCustomer(
      deps.payments,
      account,
      scope,
      (providerCustomerId) => account.provider.storing.store(account.context, providerCustomerId ?? '', method, options),
      toContact(method),
    ),
  )
}

/**
 * Stores in our records what the provider has stored, with the audit event, and makes the response.
 * @throws ApiError for a refused method
 */
const toStored = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  account: Account,
  result: StoreMethodResult,
): Promise<Stored> => {
  if (result.state === 'succeeded') {
    const id = await saveMethod(deps.payments, account, request.scope, result.method, auditWriter(deps, request, 'added'))
    return { status: 'succeeded', redirectToUrl: null, id }
  }
  if (result.state === 'requires_action') return { status: 'requires_action', redirectToUrl: result.redirectUrl, id: null }
  if (result.state === 'processing') return { status: 'processing', redirectToUrl: null, id: null }
  throw toApiError(result)
}

/** The name and email address that were typed with a method. */
const toContact = ({ holder, email }: NewMethod): Contact => ({
  ...(holder === undefined ? {} : { name: holder }),
  ...(email === undefined ? {} : { email }),
})

/**
 * Changes the details of a stored method, at the provider and then here.
 * @returns the method as it stands now
 * @throws ApiError 404 where the provider cannot change it, or there is none of this kind
 */
export const updateMethod = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { id, kind, changes }: { id: string; kind: MethodRow['kind']; changes: MethodChanges },
): Promise<MethodRow> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const { provider, context } = account
  const method = await requireOwnMethod(deps, request, account, id)
  if (method.kind !== kind || provider.storing.update === undefined) throw notFound()
  if (hasCardNumber(JSON.stringify(changes))) throw invalidInput('body', MISPLACED_NUMBER_TEXT)
  const result = await callProvider(
    provider.storing.update(context, await readMethodWithCustomer(deps.payments, account, request.scope, method), changes),
  )
  if (result.state === 'declined' || result.state === 'unknown') throw toApiError(result)
  if (result.state !== 'succeeded') return method
  await saveMethod(deps.payments, account, request.scope, result.method, auditWriter(deps, request, 'changed'))
  return { ...method, details: result.method.details }
}
