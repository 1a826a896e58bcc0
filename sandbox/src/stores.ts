import { Faults } from './faults/faults.ts'
import { Ledger } from './ledger/ledger.ts'
import { Mailbox } from './mail/mailbox.ts'
import { Settlements } from './ledger/settlements.ts'
import { openProviders, type ProviderOptions, type Providers } from './providers.ts'

/** The sandbox's state. */
export interface Stores {
  readonly mailbox: Mailbox
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  readonly providers: Providers
}

export interface StoreOptions extends ProviderOptions {
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** Opens the stores; the ledger and the providers' objects are read from `dir`, the others start empty. */
export const openStores = (dir: string, { clock = Date.now, ...options }: StoreOptions = {}): Stores => {
  const ledger = new Ledger(dir)
  const faults = new Faults()
  const settlements = new Settlements()
  const providers = openProviders({ dir, ledger, faults, settlements, clock }, options)
  return { mailbox: new Mailbox(), ledger, faults, settlements, providers }
}
