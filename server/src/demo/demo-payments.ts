import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { saveAccount } from '../payments/accounts/accounts.ts'
import { demoSecretKey, demoWebhookSecret } from './demo-keys.ts'
import { RESELLERS } from './resellers/resellers.ts'
import { findAccountBaseUrl } from './seed.queries.ts'

interface AppContext {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly config: Config
}

/** The sandbox on this machine, on any port. */
const SANDBOX_URL = /^http:\/\/(localhost|127\.0\.0\.1):\d+\/stripe$/

/** Connects the demo resellers of type 1 to the sandbox's Stripe, except those that an operator has connected elsewhere. */
export const connectDemoPayments = async (deps: AppContext): Promise<void> => {
  const baseUrl = `http://localhost:${deps.config.sandboxPort}/stripe`
  for (const { id, payment } of RESELLERS) {
    if (payment.type !== PAYMENT_TYPES.stripe) continue
    const currentUrl = await deps.store.transact({ role: 'counterfoil_reseller', resellerId: id }, (db) =>
      findAccountBaseUrl(db, id, 'stripe'),
    )
    if (currentUrl !== undefined && !SANDBOX_URL.test(currentUrl)) continue
    const settings = { secretKey: demoSecretKey(id), webhookSecrets: [demoWebhookSecret(deps.keys)] }
    await saveAccount(deps, { resellerId: id, provider: 'stripe', baseUrl, settings })
  }
}
