import type Stripe from 'stripe'
import {
  type BrowserStart,
  type ProviderContext,
  type NewMethod,
  CustomerGone,
  type ClientInfo,
  type ShownMethod,
  type StoredMethod,
  type StoreResult,
} from '../provider.ts'
import { isOfStripe, mandate } from './stripe-charges.ts'
import { isMissing, isOwnerGone, resultOfFailure, stripeClient } from './stripe-client.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { decodeMethod, wireAddress } from './stripe.wire.ts'

type OurCall = ProviderContext<StripeSettings>

type Kind = Stripe.SetupIntentCreateParams.AllowedPaymentMethodType & Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType

/** Our words for kinds of methods are Stripe's own. */
const allowed = (types: readonly string[]): Kind[] => types.map((type) => type as Kind)

interface Purpose {
  readonly providerCustomerId: string
  readonly types: readonly string[]
  readonly page: { back: string } | null
}

const start = async (call: OurCall, purpose: Purpose): Promise<BrowserStart> => {
  const stripe = stripeClient(call)
  try {
    return await begun(stripe, purpose)
  } catch (failure) {
    throw await gone(stripe, purpose.providerCustomerId, failure)
  }
}

/** A failure as it is, or that the customer is not there. */
const gone = async (stripe: Stripe, owner: string, failure: unknown): Promise<unknown> =>
  (await isOwnerGone(stripe, owner, failure)) ? new CustomerGone('stripe does not know the customer', { cause: failure }) : failure

const begun = async (stripe: Stripe, { providerCustomerId: owner, types, page }: Purpose): Promise<BrowserStart> => {
  if (page === null) {
    const intent = await stripe.setupIntents.create({ customer: owner, allowed_payment_method_types: allowed(types), usage: 'off_session' })
    return { show: 'widget', id: intent.id, clientSecret: intent.client_secret ?? '', types }
  }
  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    customer: owner,
    allowed_payment_method_types: allowed(types),
    success_url: page.back,
    cancel_url: page.back,
    ...(types.includes('us_bank_account')
      ? { payment_method_options: { us_bank_account: { financial_connections: { permissions: ['payment_method' as const] } } } }
      : {}),
  })
  return { show: 'redirect', sessionId: session.id, url: session.url ?? '' }
}

const store = async (
  call: OurCall,
  owner: string,
  { token = '', type }: NewMethod,
  { payer, returnUrl, id }: { payer: ClientInfo; returnUrl: string; id: string },
): Promise<StoreResult> => {
  const stripe = stripeClient(call)
  try {
    const method = await stripe.paymentMethods.retrieve(token)
    if (method.customer !== null) return keptFor(owner, method)
    const intent = await stripe.setupIntents.create(
      {
        customer: owner,
        payment_method: token,
        allowed_payment_method_types: allowed([type]),
        usage: 'off_session',
        confirm: true,
        return_url: returnUrl,
        ...(type === 'card' ? {} : { mandate_data: mandate(payer) }),
        expand: ['payment_method'],
      },
      { idempotencyKey: `store:${id}:${owner}` },
    )
    return storeResult(call, intent)
  } catch (failure) {
    const result = resultOfFailure(failure)
    if (result.state !== 'declined') return { state: 'unknown', detail: 'detail' in result ? result.detail : result.state }
    const why = await gone(stripe, owner, failure)
    if (why instanceof CustomerGone) throw why
    return result
  }
}

/** The script in the browser has stored it already; somebody else's is as good as none. */
const keptFor = (owner: string, method: Stripe.PaymentMethod): StoreResult => {
  const known = method.customer === owner ? decodeMethod(method) : undefined
  if (known !== undefined) return { state: 'stored', method: known }
  return { state: 'declined', reason: 'invalid_account', providerCode: 'not_theirs', userMessage: 'This payment method cannot be stored.' }
}

const storeResult = ({ baseUrl }: OurCall, { status, payment_method, next_action }: Stripe.SetupIntent): StoreResult => {
  const method = decodeMethod(payment_method)
  if (status === 'succeeded' && method !== undefined) return { state: 'stored', method }
  const redirectUrl = next_action?.redirect_to_url?.url
  if (status === 'requires_action' && typeof redirectUrl === 'string' && isOfStripe(redirectUrl, baseUrl))
    return { state: 'action', redirectUrl }
  if (status === 'processing' || status === 'requires_action') return { state: 'pending' }
  return { state: 'unknown', detail: `stripe says ${status}` }
}

const update = async (call: OurCall, token: string, change: Omit<ShownMethod, 'brand' | 'last4'>): Promise<StoreResult> => {
  const { expMonth, expYear, name, email, phone, address } = change
  const card = { ...(expMonth === undefined ? {} : { exp_month: expMonth }), ...(expYear === undefined ? {} : { exp_year: expYear }) }
  const billing_details = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(address === undefined ? {} : { address: wireAddress(address) }),
  }
  try {
    const changed = await stripeClient(call).paymentMethods.update(token, {
      ...(Object.keys(card).length > 0 ? { card } : {}),
      billing_details,
    })
    const method = decodeMethod(changed)
    return method === undefined
      ? { state: 'unknown', detail: 'stripe answered in a shape that we do not know' }
      : { state: 'stored', method }
  } catch (failure) {
    const result = resultOfFailure(failure)
    return result.state === 'declined' ? result : { state: 'unknown', detail: result.state }
  }
}

const remove = async (call: OurCall, token: string): Promise<void> => {
  const stripe = stripeClient(call)
  try {
    await stripe.paymentMethods.detach(token)
  } catch (failure) {
    if (isMissing(failure)) return
    const method = await stripe.paymentMethods.retrieve(token)
    if (method.customer !== null) throw failure
  }
}

const makeDefault = async (call: OurCall, owner: string, token: string): Promise<void> => {
  await stripeClient(call).customers.update(owner, { invoice_settings: { default_payment_method: token } })
}

const methods = async (call: OurCall, owner: string, types: readonly string[]): Promise<StoredMethod[]> => {
  const stripe = stripeClient(call)
  const lists = types.map(async (type) => {
    const newestFirst: StoredMethod[] = []
    for await (const one of stripe.paymentMethods.list({
      customer: owner,
      type: type as Stripe.PaymentMethodListParams.Type,
      limit: 100,
    })) {
      const method = decodeMethod(one)
      if (method !== undefined) newestFirst.push(method)
    }
    return newestFirst.toReversed()
  })
  return (await Promise.all(lists)).flat()
}

const createCustomer = async (
  call: OurCall,
  { reference, name, key }: { reference: string; name: string; key: string },
): Promise<string> => {
  const made = await stripeClient(call).customers.create({ name, metadata: { customer: reference } }, { idempotencyKey: `customer:${key}` })
  return made.id
}

export const stripeMethods = { start, store, update, remove, makeDefault, methods, createCustomer }
