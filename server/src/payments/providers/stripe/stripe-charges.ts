import type { Money } from '@counterfoil/contract/kit/money'
import type Stripe from 'stripe'
import type { BookedPayment, ProviderContext, ChargeOrder, ChargeResult, NamedMethod, NewCard } from '../provider.ts'
import { isMissing, isOwnerGone, resultOfFailure, stripeClient } from './stripe-client.ts'
import type { StripeSettings } from './stripe.settings.ts'
import { decodeIntent, lostIn, namedMethod, wasDisputed, wireAddress, wireAmount } from './stripe.wire.ts'

type OurCall = ProviderContext<StripeSettings>

const LATEST = { expand: ['latest_charge'] }

/**
 * Two steps: the payment is made known, which moves nothing; its id is announced; then it is confirmed. Whatever gets lost, the id is known
 * to us before money can move, and one look at it tells what became of it.
 */
const charge = async (call: OurCall, order: ChargeOrder, methodId: string, stripe: Stripe): Promise<ChargeResult> => {
  const known = await made(stripe, order, methodId)
  if ('state' in known) return known
  await order.announce(known.id, known.method)
  try {
    const confirmed = await stripe.paymentIntents.confirm(
      known.id,
      { ...confirmation(order), ...LATEST },
      { idempotencyKey: `${order.attemptId}:confirm` },
    )
    return confirmed.id === known.id ? safely(call, decodeIntent(confirmed)) : OF_ANOTHER
  } catch (failure) {
    return resultOfFailure(failure)
  }
}

/** What is said of somebody else's payment says nothing of this one. */
const OF_ANOTHER: ChargeResult = { state: 'unknown', detail: 'stripe answered for another payment' }

const chargeStored = (call: OurCall, order: ChargeOrder, token: string): Promise<ChargeResult> =>
  charge(call, order, token, stripeClient(call))

const made = async (
  stripe: Stripe,
  order: ChargeOrder,
  methodId: string,
): Promise<{ id: string; method: NamedMethod | undefined } | ChargeResult> => {
  const { attemptId, amount, methodType, invoiceNumbers, legalName: companyName, providerCustomerId: owner } = order
  const asked = wireAmount(amount)
  const numbers = invoiceNumbers.join(', ')
  try {
    const intent = await stripe.paymentIntents.create(
      {
        ...asked,
        payment_method: methodId,
        allowed_payment_method_types: [methodType as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType],
        ...(owner === null ? {} : { customer: owner }),
        description: `${companyName}: ${numbers}`.slice(0, 500),
        metadata: { attempt: attemptId, invoices: numbers.slice(0, 500) },
        expand: ['payment_method'],
      },
      { idempotencyKey: `${attemptId}:create` },
    )
    const isOurs =
      typeof intent.id === 'string' && intent.id.startsWith('pi_') && intent.amount === asked.amount && intent.currency === asked.currency
    return isOurs
      ? { id: intent.id, method: namedMethod(intent.payment_method) }
      : { state: 'not-sent', detail: 'stripe noted something else than it was asked for' }
  } catch (failure) {
    const result = resultOfFailure(failure)
    if (result.state === 'unknown') return { ...result, state: 'not-sent' }
    const isGone = result.state === 'declined' && owner !== null && (await isOwnerGone(stripe, owner, failure))
    return isGone ? { ...result, isCustomerGone: true } : result
  }
}

/** A payer is sent to Stripe, or to what stands in for it, and nowhere else. */
const safely = ({ baseUrl }: OurCall, result: ChargeResult): ChargeResult =>
  result.state !== 'action' || isOfStripe(result.redirectUrl, baseUrl)
    ? result
    : { state: 'unknown', detail: 'stripe sends the payer to a stranger' }

/** Is this one of Stripe's pages, or of what stands in for it? */
export const isOfStripe = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && (hostname === 'stripe.com' || hostname.endsWith('.stripe.com')))
}

const confirmation = ({ returnUrl, client: payer, methodType }: ChargeOrder): Stripe.PaymentIntentConfirmParams => ({
  ...(returnUrl === null ? { off_session: true } : { return_url: returnUrl }),
  ...(payer === null || methodType === 'card' ? {} : { mandate_data: mandate(payer) }),
})

/** Who agreed to a debit, as Stripe's mandates want it. */
export const mandate = ({ ip, userAgent }: { ip: string; userAgent: string }) => ({
  customer_acceptance: { type: 'online' as const, online: { ip_address: ip, user_agent: userAgent || 'unknown' } },
})

const lookUp = async (call: OurCall, { providerRef }: { providerRef: string | null }): Promise<ChargeResult> => {
  // Money moves only after the id was announced, and from now on it cannot be.
  if (providerRef === null) return { state: 'not-sent', detail: 'it was never made known to stripe' }
  const stripe = stripeClient(call)
  try {
    const intent = await stripe.paymentIntents.retrieve(providerRef, LATEST)
    if (intent.id !== providerRef) return OF_ANOTHER
    if (!wasDisputed(intent)) return safely(call, decodeIntent(intent))
    const disputes = await stripe.disputes.list({ payment_intent: providerRef, limit: 100 })
    return decodeIntent(intent, lostIn(disputes.data))
  } catch (failure) {
    const detail = isMissing(failure) ? 'stripe does not know it' : 'stripe could not be asked'
    return { state: 'unknown', detail }
  }
}

const cancel = async (call: OurCall, attempt: { attemptId: string; providerRef: string }): Promise<ChargeResult> => {
  try {
    const { paymentIntents } = stripeClient(call)
    const given = await paymentIntents.cancel(attempt.providerRef, {}, { idempotencyKey: `${attempt.attemptId}:cancel` })
    return given.id === attempt.providerRef ? decodeIntent(given) : OF_ANOTHER
  } catch {
    return lookUp(call, attempt) // it has gone on meanwhile, or cannot be asked
  }
}

const refund = async (
  call: OurCall,
  attempt: { attemptId: string; providerRef: string },
  amount: Money,
  refundId: string,
): Promise<ChargeResult> => {
  try {
    const asked = { payment_intent: attempt.providerRef, amount: wireAmount(amount).amount, metadata: { refund: refundId } }
    await stripeClient(call).refunds.create(asked, { idempotencyKey: `refund:${refundId}` })
  } catch (failure) {
    return resultOfFailure(failure)
  }
  return lookUp(call, attempt)
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

async function* list(call: OurCall, from: Date, to: Date): AsyncIterable<BookedPayment> {
  const created = { gte: seconds(from), lt: seconds(to) }
  for await (const intent of stripeClient(call).paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] }))
    yield {
      attemptId: intent.metadata['attempt'] ?? null,
      providerRef: intent.id,
      // What a dispute took stands in the dispute alone.
      result: wasDisputed(intent) ? await lookUp(call, { providerRef: intent.id }) : decodeIntent(intent),
    }
}

/** A card that Stripe's script has made in the browser, with what the form said of its holder. */
const chargeNew = async (call: OurCall, order: ChargeOrder, { token, holder, address }: NewCard): Promise<ChargeResult> => {
  if (token === undefined) return { state: 'not-sent', detail: 'there was no token of a card' }
  const stripe = stripeClient(call)
  if (holder !== undefined || address !== undefined) {
    const billing_details = {
      ...(holder === undefined ? {} : { name: holder }),
      ...(address === undefined ? {} : { address: wireAddress(address) }),
    }
    // The bank checks it where it is there; without it the payment is no less a payment.
    await stripe.paymentMethods.update(token, { billing_details }).catch(() => undefined)
  }
  return charge(call, order, token, stripe)
}

export const stripeCharges = { chargeStored, chargeNew, lookUp, cancel, refund, list }
