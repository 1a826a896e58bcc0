import { Provider, type ProviderDeps } from '../kit/provider.ts'
import type { SharedWebhook } from '../kit/webhook-sender.ts'
import type { SettlementOutcome } from '../ledger/settlements.ts'
import { NexioSession } from './store/nexio-session.ts'
import { findPayment, settleCards, settlePayment } from './transactions/settlement.ts'
import { EncryptionKey } from './vault/encryption-key.ts'
import { nexioWebhooks } from './webhooks/nexio-webhooks.ts'

/** The sandbox's Nexio, with its encryption key. */
export class Nexio extends Provider<NexioSession> {
  readonly key: EncryptionKey

  constructor(deps: ProviderDeps, sharedWebhook?: SharedWebhook) {
    super(deps, { name: 'nexio', keptKinds: ['card', 'echeck', 'webhook_config'], webhooks: nexioWebhooks(sharedWebhook) })
    this.key = new EncryptionKey(deps.dir)
  }

  openSession(account: string, baseUrl = ''): NexioSession {
    return new NexioSession(this.stores, account, baseUrl)
  }

  /** Settles the captured card payments of every account, and returns how many there were. */
  async settleBatch(): Promise<number> {
    let count = 0
    for (const account of this.stores.objects.accounts()) {
      const session = this.openSession(account)
      count += settleCards(session)
      await this.webhooks.send(session)
    }
    return count
  }

  protected override settle(session: NexioSession, id: string, outcome: SettlementOutcome): string | undefined {
    const payment = findPayment(session, id)
    return payment !== undefined && settlePayment(session, payment, outcome) !== undefined ? payment.refNumber : undefined
  }
}
