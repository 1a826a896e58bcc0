import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { Db, Lane, Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import type { Log } from '../kit/log.ts'
import type { AnyProvider } from './providers/provider.ts'
import { findProvider } from './providers/registry.ts'

/** What payments need of the house. */
export interface PaymentsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'publicUrl' | 'allowEmbeddedPayments' | 'paymentTimeoutMs' | 'splitCardResellers'>
  /** A receipt was queued: it may be sent now. */
  onMailQueued(): void
  /** The payment companies, where they are not those of the registry: the fault bench brings its own. */
  readonly providers?: (name: string) => AnyProvider | undefined
}

/** The payment company of that name; undefined for one that there is not. */
export const findProviderFor = (deps: Pick<PaymentsDeps, 'providers'>, name: string): AnyProvider | undefined =>
  (deps.providers ?? findProvider)(name)

/** One transaction over the payments of a reseller's customers. Nothing is sent to anybody inside it. */
export const transactAsReseller = <T>(deps: PaymentsDeps, resellerId: number, work: (db: Db) => Promise<T>, lane?: Lane): Promise<T> =>
  deps.store.transact({ role: 'counterfoil_reseller', resellerId }, work, lane)

/** The same for one statement, which travels with what opens and commits it. */
export const queryAsReseller = <T>(deps: PaymentsDeps, resellerId: number, query: (db: Db) => Promise<T>): Promise<T> =>
  deps.store.transact({ role: 'counterfoil_reseller', resellerId }, query, 'interactive', 'one statement')

/** Somebody who pays: a customer, or whoever holds its payment link. */
export interface CustomerKey {
  readonly resellerId: number
  readonly customerId: number
}
