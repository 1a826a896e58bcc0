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
import { limitDeclines } from '../../payments/engine/decline-limit.ts'
import {
  changeDefaultMethod,
  listCurrentMethods,
  removeStoredMethod,
  saveMethod,
  listStoredMethods,
  type WriteMethodAudit,
} from '../../payments/methods/stored-methods.ts'
import type { MethodRow } from '../../payments/methods/stored-methods.queries.ts'
import { withProviderCustomer } from '../../payments/methods/provider-customers.ts'
import { MISPLACED_NUMBER_TEXT } from '../../payments/methods/card-form.rules.ts'
import type { PaymentsDeps } from '../../payments/payments-deps.ts'
import type { StoredMethod, StoreMethodResult } from '../../payments/providers/provider.ts'
import type { Limits } from '../../rate-limits/limits.ts'
import { cardOf, changeOf } from './payment-methods.rules.ts'

export interface PaymentMethodsDeps {
  readonly payments: PaymentsDeps
  readonly limits: Limits
}

/** Whose customers a family of paths serves. A path of another provider is not there, whoever asks. */
export type Family = readonly (ProviderName | 'none')[]

/** What the audit log is told of a change, with who asked for it. */
const noted =
  (
    { payments }: PaymentMethodsDeps,
    { actor, scope, requestInfo, now }: CustomerRequestContext,
    what: 'added' | 'changed' | 'removed' | 'made-default',
  ): WriteMethodAudit =>
  (db, methodId) =>
    writeAudit(db, payments.keys, now, {
      resellerId: scope.resellerId,
      customerId: scope.customerId,
      action: `payment-method.${what}`,
      actor: auditActor(actor),
      subject: `payment method ${methodId}`,
      source: requestInfo.address,
    })

const UNREACHABLE = 'We could not reach the payment company. Please try again.'

/** The reseller's account, when this family of paths is its provider's. */
const accountFor = async (deps: PaymentMethodsDeps, { scope }: CustomerRequestContext, family: Family): Promise<Account> => {
  const { provider } = await readPaymentMode(deps.payments, scope.resellerId)
  if (!family.includes(provider ?? 'none')) throw notFound()
  return requireAccount(deps.payments, scope.resellerId)
}

/** A customer's stored methods of one kind; none where there are no payments. */
export const listMethods = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  family: Family,
  kind: MethodRow['kind'],
): Promise<MethodRow[]> => {
  const { provider } = await readPaymentMode(deps.payments, scope.resellerId)
  if (!family.includes(provider ?? 'none')) throw notFound()
  if (provider === null) return []
  const account = await findAccount(deps.payments, scope.resellerId)
  const rows =
    account === null ? await listStoredMethods(deps.payments, provider, scope) : await listCurrentMethods(deps.payments, account, scope)
  return rows.filter((row) => row.kind === kind)
}

type NewCard = RequestInput<typeof paymentMethods.addCard>['body']

/** Stores a card by the token that the provider's script made of it. */
export const addCard = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
  { token }: NewCard,
): Promise<Stored> => {
  const account = await accountFor(deps, ask, family)
  return stored(deps, ask, account, { token, type: 'card' })
}

/** Stores a bank account whose owner has agreed to be debited. */
export const confirmSetup = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
  { paymentMethodId, paymentMethodType }: RequestInput<typeof paymentMethods.confirmSetup>['body'],
): Promise<Stored> => {
  const account = await accountFor(deps, ask, family)
  mustTake(account, paymentMethodType)
  return stored(deps, ask, account, { token: paymentMethodId, type: paymentMethodType })
}

const mustTake = ({ debitType }: Account, type: string): void => {
  if (debitType !== type) throw new ApiError('method_not_accepted', 'This kind of bank account is not taken here.')
}

const stored = (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  account: Account,
  input: { token: string; type: string },
): Promise<Stored> =>
  limitDeclines({ keys: deps.payments.keys, limits: deps.limits }, ask, ask.actor.userId, async () => {
    if (hasCardNumber(input.token)) throw invalidInput('body', 'Send the token of the card, not its number or code.')
    const { scope, requestInfo } = ask
    const more = {
      client: { ip: requestInfo.address, userAgent: requestInfo.userAgent },
      returnUrl: await portalUrl(deps.payments, scope, '/payment-types'),
      id: randomUUID(),
    }
    const result = await asked(
      withProviderCustomer(deps.payments, account, scope, (owner) =>
        account.provider.storeMethod(account.context, owner ?? '', input, more),
      ),
    )
    if (result.state === 'stored')
      return keptAnswer(await saveMethod(deps.payments, account, scope, result.method, noted(deps, ask, 'added')))
    if (result.state === 'action') return { status: 'requires_action', redirectToUrl: result.redirectUrl, id: null }
    if (result.state === 'pending') return { status: 'processing', redirectToUrl: null, id: null }
    throw refusalOf(result)
  })

const keptAnswer = (id: string): Stored => ({ status: 'succeeded', redirectToUrl: null, id })

const refusalOf = (result: Extract<StoreMethodResult, { state: 'declined' | 'unknown' }>): ApiError =>
  result.state === 'declined'
    ? new ApiError('method_declined', result.userMessage, { userMessage: result.userMessage })
    : new ApiError('provider_unavailable', UNREACHABLE, { userMessage: UNREACHABLE })

/** What a company that cannot be reached means for whoever waits. */
const asked = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('provider_unavailable', UNREACHABLE, { userMessage: UNREACHABLE, cause: error })
  }
}

/** The customer's own method of that id. @throws Refusal 404, the same for a foreign and for a missing one */
const own = async (deps: PaymentMethodsDeps, { scope }: CustomerRequestContext, account: Account, id: string): Promise<MethodRow> => {
  const found = (await listStoredMethods(deps.payments, account.provider.name, scope)).find((row) => row.id === id)
  if (found === undefined) throw notFound()
  return found
}

/** Changes expiry, name and address of a stored card. */
export const updateCard = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
  { id, paymentSourceId, ...body }: RequestInput<typeof paymentMethods.updateCard>['body'],
): Promise<Card> => {
  const account = await accountFor(deps, ask, family)
  const { provider, context: call } = account
  const method = await own(deps, ask, account, id ?? paymentSourceId ?? '')
  if (method.kind !== 'card' || provider.updateMethod === undefined) throw notFound()
  const change = changeOf(body, dayOf(ask.now))
  if (hasCardNumber(JSON.stringify(change))) throw invalidInput('body', MISPLACED_NUMBER_TEXT)
  const result = await asked(provider.updateMethod(call, method.token, change))
  if (result.state === 'declined' || result.state === 'unknown') throw refusalOf(result)
  const changed: StoredMethod | null = result.state === 'stored' ? result.method : null
  if (changed !== null) await saveMethod(deps.payments, account, ask.scope, changed, noted(deps, ask, 'changed'))
  return cardOf({ ...method, details: changed?.details ?? method.details })
}

/** Removes a stored method, at the company first. */
export const removeMethod = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
  id: string,
  kind: MethodRow['kind'],
): Promise<void> => {
  const account = await accountFor(deps, ask, family)
  const method = await own(deps, ask, account, id)
  if (method.kind !== kind) throw notFound()
  await asked(account.provider.removeMethod(account.context, method.token))
  await removeStoredMethod(deps.payments, account, ask.scope, method, noted(deps, ask, 'removed'))
}

/** Makes a stored method the default. */
export const makeDefault = async (deps: PaymentMethodsDeps, ask: CustomerRequestContext, family: Family, id: string): Promise<void> => {
  const account = await accountFor(deps, ask, family)
  const method = await own(deps, ask, account, id)
  if (method.status !== 'ready')
    throw new ApiError('method_not_ready', 'This bank account is not confirmed yet, so it cannot be the default.')
  await asked(changeDefaultMethod(deps.payments, account, ask.scope, method, noted(deps, ask, 'made-default')))
}

/** The kinds of debit that are typed on our page; the others go by the company's own. */
const ON_PAGE: ReadonlySet<string> = new Set(['au_becs_debit', 'sepa_debit'])

/** Begins to store a method in the browser. */
export const setupIntent = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
): Promise<ResponseBody<typeof paymentMethods.setupIntent>> => {
  const account = await accountFor(deps, ask, family)
  const { debitType } = account
  const types = debitType !== null && ON_PAGE.has(debitType) ? ['card', debitType] : ['card']
  const started = await start(deps, ask, account, { types, page: null })
  if (started.kind !== 'widget') throw notFound()
  return {
    id: started.id,
    clientSecret: started.clientSecret,
    publishableKey: account.publishableKey,
    paymentMethodTypes: [...started.types],
  }
}

/** Begins to store a bank account on the company's own page. */
export const checkoutSession = async (
  deps: PaymentMethodsDeps,
  ask: CustomerRequestContext,
  family: Family,
  type: string,
): Promise<ResponseBody<typeof paymentMethods.checkoutSession>> => {
  const account = await accountFor(deps, ask, family)
  mustTake(account, type)
  const back = await portalUrl(deps.payments, ask.scope, '/payment-types')
  const started = await start(deps, ask, account, { types: [type], page: { back } })
  if (started.kind !== 'redirect') throw notFound()
  return { id: started.sessionId, url: started.url }
}

const start = async (
  deps: PaymentMethodsDeps,
  { scope }: CustomerRequestContext,
  account: Account,
  purpose: { types: readonly string[]; page: { back: string } | null },
) => {
  const { provider, context: call } = account
  if (provider.startSetup === undefined) throw notFound()
  const begin = provider.startSetup
  return asked(withProviderCustomer(deps.payments, account, scope, (owner) => begin(call, { providerCustomerId: owner ?? '', ...purpose })))
}
