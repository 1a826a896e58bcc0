import type { RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { cardFields } from '@counterfoil/contract/card-fields'
import { dayOf } from '@counterfoil/contract/kit/day'
import type { Card, paymentMethods, Stored } from '@counterfoil/contract/payment-methods'
import { notFound, ApiError } from '../../kit/api-error.ts'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { type Account, findAccount, portalUrl, readPaymentMode, requireAccount } from '../../payments/accounts/accounts.ts'
import {
  changeDefaultMethod,
  listCurrentMethods,
  removeStoredMethod,
  listStoredMethods,
  readMethodWithCustomer,
} from '../../payments/methods/stored-methods.ts'
import { withProviderCustomer } from '../../payments/methods/provider-customers.ts'
import { findProviderFor } from '../../payments/payments-deps.ts'
import type { MethodRow, NewMethod } from '../../payments/providers/method.ts'
import {
  auditWriter,
  callProvider,
  type PaymentMethodsDeps,
  requireFamilyAccount,
  requireOwnMethod,
  requirePathFamily,
} from './method-family.service.ts'
import { toCard, parseCardUpdate } from './payment-methods.rules.ts'
import { assertAcceptsType, storeMethod, updateMethod } from './store-method.service.ts'

/**
 * A customer's stored methods of one kind, brought up to date with the provider where its account can be used; empty where there are no
 * payments.
 * @throws ApiError 404 for another provider's path
 */
export const listMethods = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  pathFamily: string,
  kind: MethodRow['kind'],
): Promise<MethodRow[]> => {
  await requirePathFamily(deps, scope.resellerId, pathFamily)
  const account = await findAccount(deps.payments, scope.resellerId)
  const { accountId } = await readPaymentMode(deps.payments, scope.resellerId)
  if (accountId === null) return []
  const rows =
    account === null ? await listStoredMethods(deps.payments, accountId, scope) : await listCurrentMethods(deps.payments, account, scope)
  return rows.filter((row) => row.kind === kind)
}

/** A customer's stored cards in the form of the API, as the provider shows cards. */
export const listCards = async (deps: PaymentMethodsDeps, request: CustomerRequestContext, pathFamily: string): Promise<Card[]> => {
  const rows = await listMethods(deps, request, pathFamily, 'card')
  const { provider } = await readPaymentMode(deps.payments, request.scope.resellerId)
  return rows.map((row) => toCard(row, findProviderFor(deps.payments, provider ?? '')))
}

/** Stores a card, at the provider and here, by the token that the browser got from the provider. */
export const addCard = (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { token, cardholder, email }: RequestInput<typeof paymentMethods.addCard>['body'],
): Promise<Stored> =>
  storeMethod(deps, request, pathFamily, { typedMethod: { kind: 'token', token }, type: 'card', ...typedContact(cardholder, email) })

/** The trimmed name and email address, without those left empty. */
const typedContact = (holder = '', email = ''): Pick<NewMethod, 'holder' | 'email'> => ({
  ...(holder.trim() === '' ? {} : { holder: holder.trim() }),
  ...(email.trim() === '' ? {} : { email: email.trim() }),
})

/** Stores a bank account whose holder has agreed to be debited, by the token of the provider's form; a card too, where the type says so. */
export const confirmSetup = (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { paymentMethodId: token, paymentMethodType: type, accountHolderName, email }: RequestInput<typeof paymentMethods.confirmSetup>['body'],
): Promise<Stored> =>
  storeMethod(deps, request, pathFamily, { typedMethod: { kind: 'token', token }, type, ...typedContact(accountHolderName, email) })

/** Changes expiry, name and address of a stored card, at the provider and here. */
export const updateCard = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  { id, paymentSourceId, ...body }: RequestInput<typeof paymentMethods.updateCard>['body'],
): Promise<Card> => {
  const changes = parseCardUpdate(body, dayOf(request.now))
  const method = await updateMethod(deps, request, pathFamily, { id: id ?? paymentSourceId ?? '', kind: 'card', changes })
  return toCard(method, (await requireFamilyAccount(deps, request, pathFamily)).provider)
}

/**
 * Removes a stored card or bank account, at the provider first.
 * @throws ApiError 404 without one of this kind; 400 where the default must be kept
 */
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
  await assertRemovable(deps, request, account, method)
  await callProvider(
    account.provider.storing.remove(account.context, await readMethodWithCustomer(deps.payments, account, request.scope, method)),
  )
  await removeStoredMethod(deps.payments, account, request.scope, method, auditWriter(deps, request, 'removed'))
}

const KEPT_DEFAULT_TEXT = 'The default payment method cannot be removed while there are others. Please make another one the default first.'

/** @throws ApiError 400 for the default where the provider keeps it while there are others of its kind */
const assertRemovable = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  { id: accountId, provider }: Account,
  { kind, isDefault }: MethodRow,
): Promise<void> => {
  if (provider.storing.requiresReplacementBeforeRemovingDefault !== true || !isDefault) return
  const rows = await listStoredMethods(deps.payments, accountId, scope)
  if (rows.filter((row) => row.kind === kind).length > 1)
    throw new ApiError('invalid_input', KEPT_DEFAULT_TEXT, { userMessage: KEPT_DEFAULT_TEXT })
}

/**
 * Makes a stored method the customer's default, which a reseller may charge.
 * @throws ApiError for a bank account that is not confirmed yet
 */
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

/**
 * Starts, at the provider, the form of our page that stores a card or a bank account; returns the provider's secret for the browser.
 * @throws ApiError 404 where the provider has no such form
 */
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

/**
 * Starts, at the provider, its own page that stores a bank account; returns the page's URL.
 * @throws ApiError 404 where the provider has no such page
 */
export const checkoutSession = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  type: string,
): Promise<ResponseBody<typeof paymentMethods.checkoutSession>> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  assertAcceptsType(account, type)
  const returnUrl = await portalUrl(deps.payments, request.scope, '/payment-types')
  const setup = await startSetup(deps, request, account, { types: [type], page: { returnUrl } })
  if (setup.kind !== 'redirect') throw notFound()
  return { id: setup.sessionId, url: setup.url }
}

/**
 * Has the provider begin to store a method that the browser enters, for its customer, who is created there if need be.
 * @throws ApiError 404 where the provider cannot
 */
const startSetup = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  account: Account,
  purpose: { types: readonly string[]; page: { returnUrl: string } | null },
) => {
  const { provider, context } = account
  const { startSetup: startProviderSetup } = provider.storing
  if (startProviderSetup === undefined) throw notFound()
  return callProvider(
    withProviderCustomer(deps.payments, account, scope, (providerCustomerId) =>
      startProviderSetup(context, { providerCustomerId: providerCustomerId ?? '', ...purpose }),
    ),
  )
}

/**
 * Has the provider prepare its own card fields, in which a card to store is entered; returns what the browser needs.
 * @throws ApiError 404 where there are none
 */
export const startCardFields = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
): Promise<ResponseBody<typeof cardFields.store>> => {
  const { provider, context } = await requireAccount(deps.payments, scope.resellerId)
  if (provider.entry.createCardForm === undefined) throw notFound()
  const { fields } = await callProvider(provider.entry.createCardForm(context, 'store', { customerId: scope.customerId }))
  return { fields }
}

/**
 * Has the provider prepare its card form to store a card, or to change the stored method `changed`; returns what the browser needs.
 * @throws ApiError 404 where there is none
 */
export const createFamilyCardForm = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  changed?: { readonly id: string; readonly email: string | null },
): Promise<Readonly<Record<string, string>>> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const { provider, context } = account
  if (provider.entry.createCardForm === undefined) throw notFound()
  const { scope } = request
  const method = changed === undefined ? undefined : await requireOwnMethod(deps, request, account, changed.id)
  const customer = {
    customerId: scope.customerId,
    ...(method === undefined ? {} : { method: await readMethodWithCustomer(deps.payments, account, scope, method) }),
    ...(changed === undefined || changed.email === null ? {} : { email: changed.email }),
  }
  return (await callProvider(provider.entry.createCardForm(context, 'store', customer))).fields
}
