import type Stripe from 'stripe'
import type { ProviderContext } from '../account.ts'
import { RefusedByProvider, declineTypedMethod } from '../decline.ts'
import type { ClientInfo } from '../order.ts'
import { type BrowserSetup, CustomerGone, type StoreMethodResult } from '../storing.ts'
import type { NewMethod, KnownMethod, MethodDetails, StoredMethod } from '../method.ts'
import { isStripeUrl, mandateData } from './stripe-charges.ts'
import { isNotFound, isCustomerGone, resultOfError, type StripeClient, stripeClient } from './stripe-client.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { decodeMethod, toStripeAddress } from './stripe-codec.ts'

type StripeContext = ProviderContext<StripeSettings>

type Kind = Stripe.SetupIntentCreateParams.AllowedPaymentMethodType & Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType

/** Our method types as Stripe's: they are Stripe’s own words. */
const toStripeTypes = (types: readonly string[]): Kind[] => types.map((type) => type as Kind)

interface Purpose {
  readonly providerCustomerId: string
  readonly types: readonly string[]
  readonly page: { returnUrl: string } | null
}

/**
 * Creates at Stripe what stores a method: for our page a SetupIntent for its widget, else a session of Stripe's own page to redirect to.
 * @throws CustomerGone when Stripe does not know the customer
 */
const startSetup = async (context: StripeContext, purpose: Purpose): Promise<BrowserSetup> => {
  const stripe = stripeClient(context)
  try {
    return await createSetup(stripe, purpose)
  } catch (error) {
    throw await toCustomerGone(stripe, purpose.providerCustomerId, error)
  }
}

/** The error itself, or CustomerGone when the customer does not exist at Stripe. */
const toCustomerGone = async (stripe: StripeClient, customer: string, error: unknown): Promise<unknown> =>
  (await isCustomerGone(stripe, customer, error)) ? new CustomerGone('stripe does not know the customer', { cause: error }) : error

/** Creates a SetupIntent for a widget, or with a page to return to a Checkout session of Stripe's own. */
const createSetup = async (stripe: StripeClient, { providerCustomerId: customer, types, page }: Purpose): Promise<BrowserSetup> => {
  if (page === null) {
    const intent = await stripe.setupIntents.create({
      customer,
      allowed_payment_method_types: toStripeTypes(types),
      usage: 'off_session',
    })
    return { kind: 'widget', id: intent.id, clientSecret: intent.client_secret ?? '', types }
  }
  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    customer,
    allowed_payment_method_types: toStripeTypes(types),
    success_url: page.returnUrl,
    cancel_url: page.returnUrl,
    ...(types.includes('us_bank_account')
      ? { payment_method_options: { us_bank_account: { financial_connections: { permissions: ['payment_method' as const] } } } }
      : {}),
  })
  return { kind: 'redirect', sessionId: session.id, url: session.url ?? '' }
}

/**
 * Stores a method for the customer by confirming a SetupIntent, once per `id`; one that the browser has already stored is only checked. A
 * lost answer is `unknown`.
 * @throws CustomerGone when Stripe does not know the customer
 */
const storeMethod = async (
  context: StripeContext,
  customer: string,
  { typedMethod, type }: NewMethod,
  { client, returnUrl, id }: { client: ClientInfo; returnUrl: string; id: string },
): Promise<StoreMethodResult> => {
  if (typedMethod.kind !== 'token') return declineTypedMethod('unreadable')
  const { token } = typedMethod
  const stripe = stripeClient(context)
  try {
    const method = await stripe.paymentMethods.retrieve(token)
    if (method.customer !== null) return attachedMethodResult(customer, method)
    const intent = await stripe.setupIntents.create(
      {
        customer,
        payment_method: token,
        allowed_payment_method_types: toStripeTypes([type]),
        usage: 'off_session',
        confirm: true,
        return_url: returnUrl,
        ...(type === 'card' ? {} : { mandate_data: mandateData(client) }),
        expand: ['payment_method'],
      },
      { idempotencyKey: `store:${id}:${customer}` },
    )
    return toStoreResult(context, intent)
  } catch (error) {
    const result = resultOfError(error)
    if (result.state !== 'declined') return { state: 'unknown', detail: result.detail }
    const cause = await toCustomerGone(stripe, customer, error)
    if (cause instanceof CustomerGone) throw cause
    return result
  }
}

/** The method that the script in the browser has already stored; a decline where it is another customer's. */
const attachedMethodResult = (customer: string, method: Stripe.PaymentMethod): StoreMethodResult => {
  const attached = method.customer === customer ? decodeMethod(method) : undefined
  if (attached !== undefined) return { state: 'succeeded', method: attached }
  return { state: 'declined', reason: 'invalid_account', providerCode: 'not_theirs', userMessage: 'This payment method cannot be stored.' }
}

/** What a SetupIntent says: stored, a redirect to Stripe for the payer, or still processing. */
const toStoreResult = ({ baseUrl }: StripeContext, { status, payment_method, next_action }: Stripe.SetupIntent): StoreMethodResult => {
  const method = decodeMethod(payment_method)
  if (status === 'succeeded' && method !== undefined) return { state: 'succeeded', method }
  const redirectUrl = next_action?.redirect_to_url?.url
  if (status === 'requires_action' && typeof redirectUrl === 'string' && isStripeUrl(redirectUrl, baseUrl))
    return { state: 'requires_action', redirectUrl }
  if (status === 'processing' || status === 'requires_action') return { state: 'processing' }
  return { state: 'unknown', detail: `stripe says ${status}` }
}

/** Changes expiry, holder and address of a method at Stripe; what is undefined stays. A lost answer is `unknown`. */
const updateMethod = async (
  context: StripeContext,
  { token }: KnownMethod,
  changes: Omit<MethodDetails, 'brand' | 'last4'>,
): Promise<StoreMethodResult> => {
  const { expMonth, expYear, name, email, phone, address } = changes
  const card = { ...(expMonth === undefined ? {} : { exp_month: expMonth }), ...(expYear === undefined ? {} : { exp_year: expYear }) }
  const billing_details = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(address === undefined ? {} : { address: toStripeAddress(address) }),
  }
  try {
    const updated = await stripeClient(context).paymentMethods.update(token, {
      ...(Object.keys(card).length > 0 ? { card } : {}),
      billing_details,
    })
    const method = decodeMethod(updated)
    return method === undefined ? { state: 'unknown', detail: 'stripe answered in an unknown format' } : { state: 'succeeded', method }
  } catch (error) {
    const result = resultOfError(error)
    return result.state === 'declined' ? result : { state: 'unknown', detail: result.state }
  }
}

/**
 * Detaches a method from its customer at Stripe; one that is gone or detached already counts as removed.
 * @throws Error when it may still be attached
 */
const removeMethod = async (context: StripeContext, { token }: KnownMethod): Promise<void> => {
  const stripe = stripeClient(context)
  try {
    await stripe.paymentMethods.detach(token)
  } catch (error) {
    if (isNotFound(error)) return
    const method = await stripe.paymentMethods.retrieve(token)
    if (method.customer !== null) throw error
  }
}

/** Makes a method the customer's default at Stripe, in the customer's invoice settings. */
const setDefaultMethod = async (context: StripeContext, customer: string, token: string): Promise<void> => {
  await stripeClient(context).customers.update(customer, { invoice_settings: { default_payment_method: token } })
}

/** The customer's methods as Stripe has them now: type by type in the given order, oldest first. Those that cannot be read are left out. */
const listMethods = async (context: StripeContext, customer: string, types: readonly string[]): Promise<StoredMethod[]> => {
  const stripe = stripeClient(context)
  const lists = types.map(async (type) => {
    const newestFirst: StoredMethod[] = []
    for await (const one of stripe.paymentMethods.list({
      customer,
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

/**
 * Creates a customer at Stripe. The same `key` gives the same customer.
 * @throws RefusedByProvider when Stripe refuses; Error when it does not answer
 */
const createCustomer = async (
  context: StripeContext,
  { reference, name, key }: { reference: string; name: string; key: string },
): Promise<string> => {
  const params = { name, metadata: { customer: reference } }
  try {
    return (await stripeClient(context).customers.create(params, { idempotencyKey: `customer:${key}` })).id
  } catch (error) {
    const result = resultOfError(error)
    throw result.state === 'declined' ? new RefusedByProvider(result) : error
  }
}

export const stripeMethods = {
  startSetup,
  store: storeMethod,
  update: updateMethod,
  remove: removeMethod,
  setDefault: setDefaultMethod,
  list: listMethods,
  createCustomer,
}
