import type { Money } from '@counterfoil/contract/kit/money'
import type Stripe from 'stripe'
import type { ProviderPayment, ProviderContext, ChargeOrder, ChargeResult, MethodSummary, NewCard } from '../provider.ts'
import { isNotFound, isCustomerGone, resultOfError, stripeClient } from './stripe-client.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { decodeIntent, sumLostDisputes, toMethodSummary, wasDisputed, toStripeAddress, toStripeAmount } from './stripe-codec.ts'

type StripeContext = ProviderContext<StripeSettings>

const WITH_LATEST_CHARGE = { expand: ['latest_charge'] }

/**
 * Two steps: the payment is made known, which moves nothing; its id is announced; then it is confirmed. Whatever gets lost, the id is known
 * to us before money can move, and one look at it tells what became of it.
 */
const createAndConfirm = async (context: StripeContext, order: ChargeOrder, methodId: string, stripe: Stripe): Promise<ChargeResult> => {
  const created = await createPaymentIntent(stripe, order, methodId)
  if ('state' in created) return created
  await order.saveReference(created.id, created.method)
  try {
    const confirmed = await stripe.paymentIntents.confirm(
      created.id,
      { ...confirmParams(order), ...WITH_LATEST_CHARGE },
      { idempotencyKey: `${order.attemptId}:confirm` },
    )
    return confirmed.id === created.id ? withSafeRedirect(context, decodeIntent(confirmed)) : OTHER_PAYMENT
  } catch (failure) {
    return resultOfError(failure)
  }
}

/** What is said of somebody else's payment says nothing of this one. */
const OTHER_PAYMENT: ChargeResult = { state: 'unknown', detail: 'stripe answered for another payment' }

const chargeStoredMethod = (context: StripeContext, order: ChargeOrder, token: string): Promise<ChargeResult> =>
  createAndConfirm(context, order, token, stripeClient(context))

const createPaymentIntent = async (
  stripe: Stripe,
  order: ChargeOrder,
  methodId: string,
): Promise<{ id: string; method: MethodSummary | undefined } | ChargeResult> => {
  const { attemptId, amount, methodType, invoiceNumbers, legalName: legalName, providerCustomerId: customer } = order
  const params = toStripeAmount(amount)
  const numbers = invoiceNumbers.join(', ')
  try {
    const intent = await stripe.paymentIntents.create(
      {
        ...params,
        payment_method: methodId,
        allowed_payment_method_types: [methodType as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType],
        ...(customer === null ? {} : { customer: customer }),
        description: `${legalName}: ${numbers}`.slice(0, 500),
        metadata: { attempt: attemptId, invoices: numbers.slice(0, 500) },
        expand: ['payment_method'],
      },
      { idempotencyKey: `${attemptId}:create` },
    )
    const isAsOrdered =
      typeof intent.id === 'string' && intent.id.startsWith('pi_') && intent.amount === params.amount && intent.currency === params.currency
    return isAsOrdered
      ? { id: intent.id, method: toMethodSummary(intent.payment_method) }
      : { state: 'not-sent', detail: 'stripe noted something else than it was asked for' }
  } catch (failure) {
    const result = resultOfError(failure)
    if (result.state === 'unknown') return { ...result, state: 'not-sent' }
    const isGone = result.state === 'declined' && customer !== null && (await isCustomerGone(stripe, customer, failure))
    return isGone ? { ...result, isCustomerGone: true } : result
  }
}

/** A payer is sent to Stripe, or to what stands in for it, and nowhere else. */
const withSafeRedirect = ({ baseUrl }: StripeContext, result: ChargeResult): ChargeResult =>
  result.state !== 'action' || isStripeUrl(result.redirectUrl, baseUrl)
    ? result
    : { state: 'unknown', detail: 'stripe sends the payer to a stranger' }

/** Is this one of Stripe's pages, or of what stands in for it? */
export const isStripeUrl = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && (hostname === 'stripe.com' || hostname.endsWith('.stripe.com')))
}

const confirmParams = ({ returnUrl, client: client, methodType }: ChargeOrder): Stripe.PaymentIntentConfirmParams => ({
  ...(returnUrl === null ? { off_session: true } : { return_url: returnUrl }),
  ...(client === null || methodType === 'card' ? {} : { mandate_data: mandateData(client) }),
})

/** Who agreed to a debit, as Stripe's mandates want it. */
export const mandateData = ({ ip, userAgent }: { ip: string; userAgent: string }) => ({
  customer_acceptance: { type: 'online' as const, online: { ip_address: ip, user_agent: userAgent || 'unknown' } },
})

const lookUp = async (context: StripeContext, { providerRef }: { providerRef: string | null }): Promise<ChargeResult> => {
  // Money moves only after the id was announced, and from now on it cannot be.
  if (providerRef === null) return { state: 'not-sent', detail: 'it was never made known to stripe' }
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

const cancel = async (context: StripeContext, attempt: { attemptId: string; providerRef: string }): Promise<ChargeResult> => {
  try {
    const { paymentIntents } = stripeClient(context)
    const canceled = await paymentIntents.cancel(attempt.providerRef, {}, { idempotencyKey: `${attempt.attemptId}:cancel` })
    return canceled.id === attempt.providerRef ? decodeIntent(canceled) : OTHER_PAYMENT
  } catch {
    return lookUp(context, attempt) // it has gone on meanwhile, or cannot be asked
  }
}

const refund = async (
  context: StripeContext,
  attempt: { attemptId: string; providerRef: string },
  amount: Money,
  refundId: string,
): Promise<ChargeResult> => {
  try {
    const params = { payment_intent: attempt.providerRef, amount: toStripeAmount(amount).amount, metadata: { refund: refundId } }
    await stripeClient(context).refunds.create(params, { idempotencyKey: `refund:${refundId}` })
  } catch (failure) {
    return resultOfError(failure)
  }
  return lookUp(context, attempt)
}

const toUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

async function* listPayments(context: StripeContext, from: Date, to: Date): AsyncIterable<ProviderPayment> {
  const created = { gte: toUnixSeconds(from), lt: toUnixSeconds(to) }
  for await (const intent of stripeClient(context).paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] }))
    yield {
      attemptId: intent.metadata['attempt'] ?? null,
      providerRef: intent.id,
      // What a dispute took stands in the dispute alone.
      result: wasDisputed(intent) ? await lookUp(context, { providerRef: intent.id }) : decodeIntent(intent),
    }
}

/** A card that Stripe's script has made in the browser, with what the form said of its holder. */
const chargeNewCard = async (context: StripeContext, order: ChargeOrder, { token, holder, address }: NewCard): Promise<ChargeResult> => {
  if (token === undefined) return { state: 'not-sent', detail: 'there was no token of a card' }
  const stripe = stripeClient(context)
  if (holder !== undefined || address !== undefined) {
    const billing_details = {
      ...(holder === undefined ? {} : { name: holder }),
      ...(address === undefined ? {} : { address: toStripeAddress(address) }),
    }
    // The bank checks it where it is there; without it the payment is no less a payment.
    await stripe.paymentMethods.update(token, { billing_details }).catch(() => undefined)
  }
  return createAndConfirm(context, order, token, stripe)
}

export const stripeCharges = { chargeStoredMethod, chargeNewCard, lookUp, cancel, refund, listPayments }
