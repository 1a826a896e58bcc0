import type { Money } from '@counterfoil/contract/kit/money'
import type { ProviderContext } from './account.ts'
import type { ChargeResult } from './charge-result.ts'
import type { IdentifiedOrder } from './order.ts'

/** Money that goes back to a payer. */
export interface ProviderRefunds<Settings> {
  /**
   * Returns a part of a payment or all of it. The same refund id moves money at most once.
   * @returns the payment afterwards, with all that was refunded; `declined` when nothing was
   */
  refund(context: ProviderContext<Settings>, order: IdentifiedOrder, amount: Money, refundId: string): Promise<ChargeResult>
  /** Lists the payments whose return or chargeback was reported between two instants, where no webhook tells of them. */
  listReturned?(context: ProviderContext<Settings>, from: Date, to: Date): AsyncIterable<ReturnedPayment>
}

/** A payment whose money was taken back or given back again by a bank, or may have been: it is looked up. */
interface ReturnedPayment {
  readonly merchantReference: string | null
  readonly providerRef: string
}
