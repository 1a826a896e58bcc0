import type { Money } from '@counterfoil/contract/kit/money'
import type Stripe from 'stripe'
import type { ProviderContext } from '../account.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder, IdentifiedOrder, SentOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, MethodSummary, NewCard } from '../method.ts'
import { confirmPaymentIntent, isNotFound, isCustomerGone, resultOfError, type StripeClient, stripeClient } from './stripe-client.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { toStripeAmount } from './stripe-amounts.ts'
import { decodeIntent, sumLostDisputes, toMethodSummary, wasDisputed } from './stripe-codec.ts'

type StripeContext = ProviderContext<StripeSettings>

const WITH_LATEST_CHARGE = { expand: ['latest_charge'] }

/**
 * Creates a PaymentIntent at Stripe, which moves nothing; `submit` confirms it, and that does. Whatever is lost on the way, its id is
 * stored before money can move, and one look-up tells the outcome.
 */
const preparePaymentIntent = async (
  context: StripeContext,
  order: ChargeOrder,
  methodId: string,
): Promise<PreparedCharge | NotPrepared> => {
  const created = await createPaymentIntent(stripeClient(context), order, methodId)
  if ('state' in created) return created
  const { id, method } = created
  const known = { merchantReference: order.merchantReference, providerRef: id }
  return {
    providerRef: id,
    method,
    submit: async (permit) => {
      try {
        const options = { idempotencyKey: `${order.merchantReference}:confirm` }
        const confirmed = await confirmPaymentIntent(context, permit, id, { ...confirmParams(order), ...WITH_LATEST_CHARGE }, options)
        if (confirmed.id !== id) return OTHER_PAYMENT
        const result = withSafeRedirect(context, decodeIntent(confirmed))
        return result.state === 'not_started' ? await declineUnusable(context, known) : result
      } catch (failure) {
        return resultOfError(failure)
      }
    },
    discard: () => cancel(context, known),
  }
}

/**
 * Cancels a payment that waits for an action which cannot be taken here, so that it does not block its invoices. A decline of the card;
 * where it cannot be canceled, its real state.
 */
const declineUnusable = async (
  context: StripeContext,
  order: Pick<IdentifiedOrder, 'merchantReference' | 'providerRef'>,
): Promise<ChargeResult> => {
  const result = await cancel(context, order)
  return result.state === 'canceled' ? UNUSABLE_CARD : result
}

const UNUSABLE_CARD: ChargeResult = {
  state: 'declined',
  reason: 'card_declined',
  providerCode: 'authentication_not_handled',
  userMessage:
    'This card cannot be used here: its bank asks for a confirmation that cannot be given on this page. Please use another card.',
}

/** Ignore answers about another payment. */
const OTHER_PAYMENT: ChargeResult = { state: 'unknown', detail: 'stripe answered for another payment' }

/** Prepares the charge of a stored card or debit: a PaymentIntent is created at Stripe, and no money moves before `submit`. */
const prepareStoredMethodCharge = (
  context: StripeContext,
  order: ChargeOrder,
  { token }: KnownMethod,
): Promise<PreparedCharge | NotPrepared> => preparePaymentIntent(context, order, token)

/**
 * Creates an unconfirmed PaymentIntent, with our reference in its metadata and idempotency key. Any failure says that nothing was charged.
 */
const createPaymentIntent = async (
  stripe: StripeClient,
  order: ChargeOrder,
  methodId: string,
): Promise<{ id: string; method: MethodSummary | undefined } | NotPrepared> => {
  const { merchantReference, amount, methodType, invoiceNumbers, legalName, providerCustomerId: customer } = order
  const params = toStripeAmount(amount)
  const numbers = invoiceNumbers.join(', ')
  try {
    const intent = await stripe.paymentIntents.create(
      {
        ...params,
        payment_method: methodId,
        allowed_payment_method_types: [methodType as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType],
        ...(customer === null ? {} : { customer }),
        description: `${legalName}: ${numbers}`.slice(0, 500),
        metadata: { attempt: merchantReference, invoices: numbers.slice(0, 500) },
        expand: ['payment_method'],
      },
      { idempotencyKey: `${merchantReference}:create` },
    )
    const isAsOrdered =
      typeof intent.id === 'string' && intent.id.startsWith('pi_') && intent.amount === params.amount && intent.currency === params.currency
    return isAsOrdered
      ? { id: intent.id, method: toMethodSummary(intent.payment_method) }
      : { state: 'not_sent', detail: 'stripe created another payment than was requested' }
  } catch (failure) {
    const result = resultOfError(failure)
    if (result.state !== 'declined') return { state: 'not_sent', detail: result.detail }
    const isGone = customer !== null && (await isCustomerGone(stripe, customer, failure))
    return isGone ? { ...result, isCustomerGone: true } : result
  }
}

/**
 * The result as it is, unless it redirects the payer elsewhere than to Stripe or its stand-in: then `not_started`, since what waits for its
 * payer moves nothing.
 */
const withSafeRedirect = ({ baseUrl }: StripeContext, result: ChargeResult): ChargeResult =>
  result.state !== 'requires_action' || isStripeUrl(result.redirectUrl, baseUrl)
    ? result
    : { state: 'not_started', detail: 'stripe redirects to another host' }

/** Whether a URL is a page of Stripe's by https, or a page of the server at `baseUrl`, such as a stand-in. */
export const isStripeUrl = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && (hostname === 'stripe.com' || hostname.endsWith('.stripe.com')))
}

/** How a payment is confirmed: off session without a return URL, else with the page to return to; a debit also with who agreed to it. */
const confirmParams = ({ returnUrl, client, methodType }: ChargeOrder): Stripe.PaymentIntentConfirmParams => ({
  ...(returnUrl === null ? { off_session: true } : { return_url: returnUrl }),
  ...(client === null || methodType === 'card' ? {} : { mandate_data: mandateData(client) }),
})

/** Who agreed to a debit online, in the form of Stripe's mandates. */
export const mandateData = ({ ip, userAgent }: { ip: string; userAgent: string }) => ({
  customer_acceptance: { type: 'online' as const, online: { ip_address: ip, user_agent: userAgent || 'unknown' } },
})

/**
 * Asks Stripe what became of a PaymentIntent by its id; `absent` without an id, since none is confirmed before its id is saved. Of a
 * disputed one the disputes are read too.
 */
const lookUp = async (context: StripeContext, { providerRef }: Pick<SentOrder, 'providerRef'>): Promise<ChargeResult> => {
  // Money moves only after the id is saved, and it can no longer be saved now.
  if (providerRef === null) return { state: 'absent', detail: 'it was never created at stripe' }
  const stripe = stripeClient(context)
  try {
    const intent = await stripe.paymentIntents.retrieve(providerRef, WITH_LATEST_CHARGE)
    if (intent.id !== providerRef) return OTHER_PAYMENT
    if (!wasDisputed(intent)) return withSafeRedirect(context, decodeIntent(intent))
    const disputes = await stripe.disputes.list({ payment_intent: providerRef, limit: 100 })
    return decodeIntent(intent, sumLostDisputes(disputes.data))
  } catch (failure) {
    const detail = isNotFound(failure) ? 'stripe does not know it' : 'stripe could not be asked'
    return { state: 'unknown', detail }
  }
}

/** Cancels a PaymentIntent at Stripe. Where that fails, the payment is looked up, and its real state returned. */
const cancel = async (context: StripeContext, order: Pick<IdentifiedOrder, 'merchantReference' | 'providerRef'>): Promise<ChargeResult> => {
  try {
    const { paymentIntents } = stripeClient(context)
    const canceled = await paymentIntents.cancel(order.providerRef, {}, { idempotencyKey: `${order.merchantReference}:cancel` })
    return canceled.id === order.providerRef ? decodeIntent(canceled) : OTHER_PAYMENT
  } catch {
    return lookUp(context, order) // the payment has progressed meanwhile, or Stripe did not answer
  }
}

const REFUND_FAILED: ChargeResult = {
  state: 'declined',
  reason: 'card_declined',
  providerCode: 'refund_failed',
  userMessage: 'The bank did not accept the refund.',
}

/**
 * Refunds a part of a payment, or all of it, once per refund id; then the payment is looked up. A refund that Stripe says has failed is a
 * decline.
 */
export const refund = async (
  context: StripeContext,
  order: Pick<IdentifiedOrder, 'providerRef'>,
  amount: Money,
  refundId: string,
): Promise<ChargeResult> => {
  try {
    const params = { payment_intent: order.providerRef, amount: toStripeAmount(amount).amount, metadata: { refund: refundId } }
    const { status, failure_reason } = await stripeClient(context).refunds.create(params, { idempotencyKey: `refund:${refundId}` })
    if (status === 'failed' || status === 'canceled')
      return { ...REFUND_FAILED, providerText: `the refund is ${status}${failure_reason ? `: ${failure_reason}` : ''}` }
  } catch (failure) {
    return resultOfError(failure)
  }
  return lookUp(context, order)
}

/** The whole seconds since 1970, which Stripe's API wants. */
const toUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

/** Lists the PaymentIntents created between two instants, unconfirmed ones too. `merchantReference` is null for the reseller's own. */
async function* listPayments(context: StripeContext, from: Date, to: Date): AsyncIterable<ProviderPayment> {
  const created = { gte: toUnixSeconds(from), lt: toUnixSeconds(to) }
  for await (const intent of stripeClient(context).paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] }))
    yield {
      merchantReference: intent.metadata['attempt'] ?? null,
      providerRef: intent.id,
      // Amounts lost to disputes are only in the disputes.
      result: wasDisputed(intent) ? await lookUp(context, { providerRef: intent.id }) : decodeIntent(intent),
    }
}

/**
 * Prepares the charge of a card token, which Stripe's script made in the browser: a PaymentIntent is created, and no money moves before
 * `submit`.
 */
const prepareNewCardCharge = async (
  context: StripeContext,
  order: ChargeOrder,
  { typedMethod }: NewCard,
): Promise<PreparedCharge | NotPrepared> =>
  typedMethod.kind === 'token' ? preparePaymentIntent(context, order, typedMethod.token) : declineTypedMethod('unreadable')

export const stripeCharges = { prepareStoredMethodCharge, prepareNewCardCharge, lookUp, cancel, listPayments }
