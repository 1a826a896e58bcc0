import { Provider, type ProviderDeps } from '../kit/provider.ts'
import type { SharedWebhook } from '../kit/webhook-sender.ts'
import type { SettlementOutcome } from '../ledger/settlements.ts'
import { AuthorizeSession } from './store/authorize-session.ts'
import { settleCards, settleTransaction } from './transactions/settlement.ts'
import type { Transaction } from './transactions/transaction.ts'
import { authorizeWebhooks } from './webhooks/authorize-webhooks.ts'

/** A batch that `settleBatch` made. */
export interface SettledBatch {
  readonly loginId: string
  readonly batchId: string
}

/** The sandbox's Authorize.net. */
export class Authorize extends Provider<AuthorizeSession> {
  constructor(deps: ProviderDeps, sharedWebhook?: SharedWebhook) {
    super(deps, {
      name: 'authorize',
      keptKinds: ['customer_profile', 'payment_profile', 'webhook_endpoint'],
      webhooks: authorizeWebhooks(sharedWebhook),
    })
  }

  openSession(account: string): AuthorizeSession {
    return new AuthorizeSession(this.stores, account)
  }

  /** Settles all pending card payments and refunds, of one account or of every account. */
  settleBatch(loginId?: string): SettledBatch[] {
    const accounts = loginId === undefined ? this.stores.objects.accounts() : [loginId]
    return accounts.flatMap((account) => {
      const batch = settleCards(this.openSession(account))
      return batch === undefined ? [] : [{ loginId: account, batchId: batch.id }]
    })
  }

  protected override settle(session: AuthorizeSession, id: string, outcome: SettlementOutcome): string | undefined {
    const transaction = session.find<Transaction>('transaction', id)
    return transaction !== undefined && settleTransaction(session, transaction, outcome) ? id : undefined
  }
}
