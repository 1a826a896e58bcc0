import { Provider, type ProviderDeps } from '../kit/provider.ts'
import { isChargeback, type SettlementOutcome } from '../ledger/settlements.ts'
import { chargeBack, settleCheck, settleSales, type Transaction } from './payments/transaction.ts'
import { IPpaySession } from './store/ippay-session.ts'

/** The sandbox's IPpay. */
export class IPpay extends Provider<IPpaySession> {
  constructor(deps: ProviderDeps) {
    super(deps, { name: 'ippay', keptKinds: ['token'] })
  }

  openSession(terminal: string): IPpaySession {
    return new IPpaySession(this.stores, terminal)
  }

  /** Closes the batch of one terminal, or of every terminal. Returns how many sales were settled. */
  settleBatch(terminal?: string): number {
    const terminals = terminal === undefined ? this.stores.objects.accounts() : [terminal]
    return terminals.reduce((sum, one) => sum + settleSales(this.openSession(one)), 0)
  }

  protected override settle(session: IPpaySession, id: string, outcome: SettlementOutcome): string | undefined {
    const transaction = session.find<Transaction>('transaction', id)
    return transaction !== undefined && settleTransaction(session, transaction, outcome) ? id : undefined
  }
}

/** Charges a settled sale back, or settles, fails or returns a bank debit. False when the transaction cannot have that outcome. */
const settleTransaction = (session: IPpaySession, transaction: Transaction, outcome: SettlementOutcome): boolean =>
  isChargeback(outcome)
    ? outcome === 'charged_back' && chargeBack(session, transaction)
    : transaction.type === 'CHECK' && settleCheck(session, transaction, outcome)
