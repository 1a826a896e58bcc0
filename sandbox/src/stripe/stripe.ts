import { Provider, type ProviderDeps } from '../kit/provider.ts'
import type { SharedWebhook } from '../kit/webhook-sender.ts'
import type { SettlementOutcome } from '../ledger/settlements.ts'
import { IdempotencyKeys } from './api/idempotency.ts'
import type { Charge } from './objects/charges.ts'
import { disputeReturnedDebit, openDispute, winDispute } from './objects/disputes.ts'
import type { PaymentIntent } from './objects/payment-intent.ts'
import { failDebit, succeedPayment } from './objects/payment-processing.ts'
import { type SessionContext, StripeSession } from './store/stripe-session.ts'
import { API_VERSION } from './webhooks/events.ts'
import { stripeWebhooks } from './webhooks/stripe-webhooks.ts'

/** The sandbox's Stripe. */
export class Stripe extends Provider<StripeSession> {
  readonly idempotencyKeys: IdempotencyKeys

  constructor(deps: ProviderDeps, sharedWebhook?: SharedWebhook) {
    super(deps, {
      name: 'stripe',
      keptKinds: ['customer', 'payment_method', 'mandate', 'setup_intent', 'checkout.session', 'webhook_endpoint'],
      webhooks: stripeWebhooks(sharedWebhook),
    })
    this.idempotencyKeys = new IdempotencyKeys(this.stores.objects, this.stores.clock)
  }

  openSession(account: string, request: Partial<SessionContext> = {}): StripeSession {
    return new StripeSession(this.stores, {
      baseUrl: '',
      requestId: null,
      idempotencyKey: null,
      apiVersion: API_VERSION,
      ...request,
      account,
    })
  }

  protected override settle(session: StripeSession, id: string, outcome: SettlementOutcome): string | undefined {
    const charge =
      session.find<Charge>('charge', id) ??
      session.find<Charge>('charge', session.find<PaymentIntent>('payment_intent', id)?.latest_charge ?? '')
    return charge !== undefined && settleCharge(session, charge, outcome) ? charge.id : undefined
  }
}

/**
 * Gives a charge this outcome: a pending debit succeeds or fails, a paid charge is returned, charged back or won again. False when it
 * cannot have that outcome.
 */
const settleCharge = (session: StripeSession, charge: Charge, outcome: SettlementOutcome): boolean => {
  if (outcome === 'charged_back') {
    if (charge.status !== 'succeeded' || charge.disputed || charge.refunded) return false
    openDispute(session, charge, 'fraudulent')
    return true
  }
  if (outcome === 'chargeback_won') return winDispute(session, charge)
  const intent = session.get<PaymentIntent>('payment_intent', charge.payment_intent)
  if (outcome === 'returned') {
    if (charge.status !== 'succeeded' || charge.disputed || charge.refunded) return false
    disputeReturnedDebit(session, charge)
    return true
  }
  if (charge.status !== 'pending') return false
  if (outcome === 'succeeded') succeedPayment(session, intent, charge, charge.amount)
  else failDebit(session, intent, charge)
  return true
}
