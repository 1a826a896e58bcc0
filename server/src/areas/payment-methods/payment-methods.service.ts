import { randomUUID } from 'node:crypto'
import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { Card, paymentMethods, Stored } from '@counterfoil/contract/payment-methods'
import { auditActor, writeAudit } from '../../audit/audit.ts'
import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput, notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, findAccount, portalUrl, readPaymentMode, requireAccount } from '../../payments/accounts/accounts.ts'
import { limitDeclines, userDeclineHits } from '../../payments/engine/decline-limit.ts'
import {
  changeDefaultMethod,
  listCurrentMethods,
  removeStoredMethod,
  saveMethod,
  listStoredMethods,
  readKnownMethod,
  type WriteMethodAudit,
} from '../../payments/methods/stored-methods.ts'
import type { MethodRow } from '../../payments/methods/stored-methods.queries.ts'
import { withProviderCustomer } from '../../payments/methods/provider-customers.ts'
import { MISPLACED_NUMBER_TEXT } from '../../payments/methods/card-form.rules.ts'
import { findProviderFor, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { StoreMethodResult } from '../../payments/providers/provider.ts'
import type { StoredMethod } from '../../payments/providers/method.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { toCard, parseCardUpdate } from './payment-methods.rules.ts'

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
const requirePathFamily = async (
  { payments }: PaymentMethodsDeps,
  resellerId: number,
  pathFamily: string,
): Promise<ProviderName | null> => {
  const { provider } = await readPaymentMode(payments, resellerId)
  const expected = provider === null ? FAMILY_WITHOUT_PAYMENTS : findProviderFor(payments, provider)?.pathFamily
  if (pathFamily !== expected) throw notFound()
  return provider
}

/** Writes the audit event of a changed method. */
const auditWriter =
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

const UNREACHABLE_TEXT = 'We could not reach the payment provider. Please try again.'

/** The reseller's account, when this family of paths is its provider's. */
const requireFamilyAccount = async (deps: PaymentMethodsDeps, { scope }: CustomerRequestContext, pathFamily: string): Promise<Account> => {
  await requirePathFamily(deps, scope.resellerId, pathFamily)
  return requireAccount(deps.payments, scope.resellerId)
}

/** A customer's stored methods of one kind; none where there are no payments. */
export const listMethods = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  pathFamily: string,
  kind: MethodRow['kind'],
): Promise<MethodRow[]> => {
  const provider = await requirePathFamily(deps, scope.resellerId, pathFamily)
  if (provider === null) return []
  const account = await findAccount(deps.payments, scope.resellerId)
  const rows =
    account === null ? await listStoredMethods(deps.payments, provider, scope) : await listCurrentMethods(deps.payments, account, scope)
  return rows.filter((row) => row.kind === kind)
}

type NewCard = RequestInput<typeof paymentMethods.addCard>['body']

/** Stores a card by the token that the provider's script made. */
export const addCard = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { token }: NewCard,
): Promise<Stored> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  return storeNewMethod(deps, request, account, token, 'card')
}

/** Stores a bank account whose holder has agreed to be debited. */
export const confirmSetup = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { paymentMethodId, paymentMethodType }: RequestInput<typeof paymentMethods.confirmSetup>['body'],
): Promise<Stored> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  assertTakesType(account, paymentMethodType)
  return storeNewMethod(deps, request, account, paymentMethodId, paymentMethodType)
}

const assertTakesType = ({ debitKind }: Account, type: string): void => {
  if (debitKind?.type !== type) throw new ApiError('method_not_accepted', 'This kind of bank account is not taken here.')
}

const storeNewMethod = (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  account: Account,
  token: string,
  type: string,
): Promise<Stored> =>
  limitDeclines(request, userDeclineHits({ keys: deps.payments.keys, limits: deps.limits }, request.actor.userId), async () => {
    if (hasCardNumber(token)) throw invalidInput('body', 'Send the token of the card, not its number or code.')
    const { scope, requestInfo } = request
    const options = {
      client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
      returnUrl: await portalUrl(deps.payments, scope, '/payment-types'),
      id: randomUUID(),
    }
    const result = await callProvider(
      withProviderCustomer(deps.payments, account, scope, (providerCustomerId) =>
        account.provider.storeMethod(account.context, providerCustomerId ?? '', { entry: { kind: 'token', token }, type }, options),
      ),
    )
    if (result.state === 'succeeded')
      return toStored(await saveMethod(deps.payments, account, scope, result.method, auditWriter(deps, request, 'added')))
    if (result.state === 'requires_action') return { status: 'requires_action', redirectToUrl: result.redirectUrl, id: null }
    if (result.state === 'processing') return { status: 'processing', redirectToUrl: null, id: null }
    throw toApiError(result)
  })

const toStored = (id: string): Stored => ({ status: 'succeeded', redirectToUrl: null, id })

const toApiError = (result: Extract<StoreMethodResult, { state: 'declined' | 'unknown' }>): ApiError =>
  result.state === 'declined'
    ? new ApiError('method_declined', result.userMessage, { userMessage: result.userMessage })
    : new ApiError('provider_unavailable', UNREACHABLE_TEXT, { userMessage: UNREACHABLE_TEXT })

/** Calls the provider; an unreachable one gives 503. */
const callProvider = async <T>(result: Promise<T>): Promise<T> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('provider_unavailable', UNREACHABLE_TEXT, { userMessage: UNREACHABLE_TEXT, cause: error })
  }
}

/**
 * The customer's method of that id.
 * @throws ApiError 404, the same for another customer's and for a missing one
 */
const requireOwnMethod = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  account: Account,
  id: string,
): Promise<MethodRow> => {
  const found = (await listStoredMethods(deps.payments, account.provider.name, scope)).find((row) => row.id === id)
  if (found === undefined) throw notFound()
  return found
}

/** Changes expiry, name and address of a stored card. */
export const updateCard = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { id, paymentSourceId, ...body }: RequestInput<typeof paymentMethods.updateCard>['body'],
): Promise<Card> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const { provider, context: call } = account
  const method = await requireOwnMethod(deps, request, account, id ?? paymentSourceId ?? '')
  if (method.kind !== 'card' || provider.updateMethod === undefined) throw notFound()
  const update = parseCardUpdate(body, dayOf(request.now))
  if (hasCardNumber(JSON.stringify(update))) throw invalidInput('body', MISPLACED_NUMBER_TEXT)
  const result = await callProvider(
    provider.updateMethod(call, await readKnownMethod(deps.payments, account, request.scope, method), update),
  )
  if (result.state === 'declined' || result.state === 'unknown') throw toApiError(result)
  const updatedMethod: StoredMethod | null = result.state === 'succeeded' ? result.method : null
  if (updatedMethod !== null) await saveMethod(deps.payments, account, request.scope, updatedMethod, auditWriter(deps, request, 'changed'))
  return toCard({ ...method, details: updatedMethod?.details ?? method.details })
}

/** Removes a stored method, at the provider first. */
export const removeMethod = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  id: string,
  kind: MethodRow['kind'],
): Promise<void> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const method = await requireOwnMethod(deps, request, account, id)
  if (method.kind !== kind) throw notFound()
  await callProvider(account.provider.removeMethod(account.context, await readKnownMethod(deps.payments, account, request.scope, method)))
  await removeStoredMethod(deps.payments, account, request.scope, method, auditWriter(deps, request, 'removed'))
}

/** Makes a stored method the default. */
export const makeDefault = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  id: string,
): Promise<void> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const method = await requireOwnMethod(deps, request, account, id)
  if (method.status !== 'ready')
    throw new ApiError('method_not_ready', 'This bank account is not confirmed yet, so it cannot be the default.')
  await callProvider(changeDefaultMethod(deps.payments, account, request.scope, method, auditWriter(deps, request, 'made-default')))
}

/** Starts storing a method in the browser. */
export const setupIntent = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
): Promise<ResponseBody<typeof paymentMethods.setupIntent>> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const { debitKind } = account
  const types = debitKind?.isEnteredOnOurPage === true ? ['card', debitKind.type] : ['card']
  const setup = await startSetup(deps, request, account, { types, page: null })
  if (setup.kind !== 'widget') throw notFound()
  return {
    id: setup.id,
    clientSecret: setup.clientSecret,
    publishableKey: account.publishableKey,
    paymentMethodTypes: [...setup.types],
  }
}

/** Starts storing a bank account on the provider's own page. */
export const checkoutSession = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  type: string,
): Promise<ResponseBody<typeof paymentMethods.checkoutSession>> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  assertTakesType(account, type)
  const returnUrl = await portalUrl(deps.payments, request.scope, '/payment-types')
  const setup = await startSetup(deps, request, account, { types: [type], page: { returnUrl } })
  if (setup.kind !== 'redirect') throw notFound()
  return { id: setup.sessionId, url: setup.url }
}

const startSetup = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  account: Account,
  purpose: { types: readonly string[]; page: { returnUrl: string } | null },
) => {
  const { provider, context: call } = account
  if (provider.startSetup === undefined) throw notFound()
  const startProviderSetup = provider.startSetup
  return callProvider(
    withProviderCustomer(deps.payments, account, scope, (providerCustomerId) =>
      startProviderSetup(call, { providerCustomerId: providerCustomerId ?? '', ...purpose }),
    ),
  )
}
