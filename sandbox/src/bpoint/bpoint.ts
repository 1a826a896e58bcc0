import { Provider, type ProviderDeps } from '../kit/provider.ts'
import type { SettlementOutcome } from '../ledger/settlements.ts'
import { BpointSession } from './store/bpoint-session.ts'
import { settleDebit } from './transactions/settlement.ts'
import type { Transaction } from './transactions/transaction.ts'
import { bpointWebhooks } from './webhooks/bpoint-webhooks.ts'

/** The sandbox's BPOINT. */
export class Bpoint extends Provider<BpointSession> {
  constructor(deps: ProviderDeps) {
    super(deps, { name: 'bpoint', keptKinds: ['token'], webhooks: bpointWebhooks })
  }

  openSession(account: string): BpointSession {
    return new BpointSession(this.stores, account)
  }

  protected override settle(session: BpointSession, id: string, outcome: SettlementOutcome): string | undefined {
    const debit = session.find<Transaction>('txn', id)
    return debit !== undefined && settleDebit(session, debit, outcome) !== undefined ? id : undefined
  }
}
