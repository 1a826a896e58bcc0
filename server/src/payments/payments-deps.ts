import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { Db, Store, TransactOptions } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import type { Keys } from '../kit/keys.ts'
import type { Log } from '../kit/log.ts'
import type { PaymentProvider } from './providers/provider.ts'
import { findProvider } from './providers/registry.ts'

/** What payments need of the application context. */
export interface PaymentsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'publicUrl' | 'allowEmbeddedPayments' | 'paymentTimeoutMs' | 'splitCardResellers' | 'operatorEmail'>
  /** Wakes the mail worker after a receipt was queued. */
  onMailQueued(): void
  /** Finds providers by name; tests replace the registry with it. */
  readonly providers?: (name: string) => PaymentProvider | undefined
}

/** The provider of that name, in tests one of theirs; undefined where none is registered. */
export const findProviderFor = (deps: Pick<PaymentsDeps, 'providers'>, name: string): PaymentProvider | undefined =>
  (deps.providers ?? findProvider)(name)

/**
 * The provider of that name.
 * @throws OperatorError when there is none
 */
export const requireProvider = (deps: Pick<PaymentsDeps, 'providers'>, name: string): PaymentProvider => {
  const provider = findProviderFor(deps, name)
  if (provider === undefined) throw new OperatorError(`There is no payment provider "${name}" here.`)
  return provider
}

/** Runs and commits `work` in one transaction over the payments of a reseller's customers. Nothing may be sent to a provider inside it. */
export const transactAsReseller = <T>(
  deps: PaymentsDeps,
  resellerId: number,
  work: (db: Db) => Promise<T>,
  options?: TransactOptions,
): Promise<T> => deps.store.transact({ role: 'counterfoil_reseller', resellerId }, work, options)

/** Runs and commits a single statement in the reseller's role, sent in one round trip with begin and commit. */
export const queryAsReseller = <T>(deps: PaymentsDeps, resellerId: number, query: (db: Db) => Promise<T>): Promise<T> =>
  deps.store.transact({ role: 'counterfoil_reseller', resellerId }, query, { pipelined: true })
