import { Provider, type ProviderDeps } from '../kit/provider.ts'
import { startNextBatch } from './payments/batch-number.ts'
import { MonerisSession } from './store/moneris-session.ts'

/** The sandbox's Moneris. */
export class Moneris extends Provider<MonerisSession> {
  constructor(deps: ProviderDeps) {
    super(deps, { name: 'moneris', keptKinds: ['profile', 'temporary_token', 'batch'] })
  }

  /** @param store without it, the session has the tokens that a hosted page made, which belong to no store */
  openSession(store?: string): MonerisSession {
    return new MonerisSession(this.stores, store)
  }

  /** Closes the open batch of one store, or of every store. Returns the stores. */
  closeBatches(store?: string): string[] {
    const stores = this.stores.objects.accounts().filter((account) => account !== '' && (store === undefined || account === store))
    for (const one of stores) startNextBatch(this.openSession(one))
    return stores
  }
}
