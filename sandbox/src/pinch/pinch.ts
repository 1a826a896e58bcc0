import { Provider, type ProviderDeps } from '../kit/provider.ts'
import type { SharedWebhook } from '../kit/webhook-sender.ts'
import type { SettlementOutcome } from '../ledger/settlements.ts'
import { AccessTokens } from './api/access-tokens.ts'
import { settleRefund } from './payments/refund.ts'
import { settlePayment } from './payments/settlement.ts'
import { PinchSession } from './store/pinch-session.ts'
import { pinchWebhooks } from './webhooks/pinch-webhooks.ts'

/** The sandbox's Pinch, with its bearer tokens. */
export class Pinch extends Provider<PinchSession> {
  readonly accessTokens: AccessTokens

  constructor(deps: ProviderDeps, sharedWebhook?: SharedWebhook) {
    super(deps, { name: 'pinch', keptKinds: ['payer', 'webhook'], webhooks: pinchWebhooks(sharedWebhook) })
    this.accessTokens = new AccessTokens(deps.clock)
  }

  openSession(account: string): PinchSession {
    return new PinchSession(this.stores, account)
  }

  protected override settle(session: PinchSession, id: string, outcome: SettlementOutcome): string | undefined {
    return settlePayment(session, id, outcome) || settleRefund(session, id, outcome) ? id : undefined
  }
}
