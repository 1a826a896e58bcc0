import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { keepAccount } from '../payments/accounts/accounts.ts'
import { demoSecretKey, demoWebhookSecret } from './demo-keys.ts'
import { RESELLERS } from './resellers/resellers.ts'
import { accountAddress } from './seed.queries.ts'

interface AppContext {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly config: Config
}

/** An address of this machine: the sandbox, wherever it stood the last time. */
const OF_SANDBOX = /^http:\/\/(localhost|127\.0\.0\.1):\d+\/stripe$/

/** Connects the demo resellers of type 1 to the sandbox's Stripe; one that an operator has connected elsewhere stays so. */
export const connectDemoPayments = async (context: AppContext): Promise<void> => {
  const baseUrl = `http://localhost:${context.config.sandboxPort}/stripe`
  for (const { id, payment } of RESELLERS) {
    if (payment.type !== PAYMENT_TYPES.stripe) continue
    const known = await context.store.transact({ role: 'counterfoil_reseller', resellerId: id }, (db) => accountAddress(db, id, 'stripe'))
    if (known !== undefined && !OF_SANDBOX.test(known)) continue
    const settings = { secretKey: demoSecretKey(id), webhookSecrets: [demoWebhookSecret(context.keys)] }
    await keepAccount(context, { resellerId: id, provider: 'stripe', baseUrl, settings })
  }
}
