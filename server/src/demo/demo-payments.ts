import { join } from 'node:path'
import { PAYMENT_TYPES, type ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { saveAccount } from '../payments/accounts/accounts.ts'
import { demoPublishableKey, demoSecretKey, demoWebhookSecret } from './demo-keys.ts'
import { readOrCreateEncryptionKey } from './encryption-key.ts'
import { RESELLERS } from './resellers/resellers.ts'
import { findAccountBaseUrl, setPublishableKey } from './seed.queries.ts'

interface AppContext {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly config: Config
}

/** The settings of a demo reseller's account at the sandbox's stand-in of a provider. */
const DEMO_SETTINGS: Readonly<Partial<Record<ProviderName, (resellerId: number, keys: Keys) => object>>> = {
  nexio: (id, keys) => ({ username: String(id), password: `demo-password-${id}`, webhookSecrets: [demoWebhookSecret(keys)] }),
  stripe: (id, keys) => ({ secretKey: demoSecretKey(id), webhookSecrets: [demoWebhookSecret(keys)] }),
  // A demo debit counts as paid once it is settled.
  authorize: (id, keys) => ({
    loginId: String(id),
    transactionKey: `demo-key-${id}`,
    webhookSecrets: [demoWebhookSecret(keys)],
    returnDays: 0,
  }),
  bpoint: (id) => ({ username: 'demo', password: `demo-password-${id}`, merchantNumber: String(5_353_109_000_000_000 + id) }),
  ippay: (id) => ({
    terminalId: `PRAIRIE${id}`,
    merchantId: `PRAIRIE${id}`,
    reportPassword: `demo-report-${id}`,
    hostedSecret: `PRAIRIE${id}-secret`,
  }),
  // The application's id is the reseller's, by which the sandbox finds the address of its webhooks.
  pinch: (id, keys) => ({
    applicationId: String(id),
    secretKey: `sk_test_demo${id}`,
    mode: 'test',
    webhookSecrets: [demoWebhookSecret(keys)],
  }),
  moneris: (id) => ({ storeId: `maple${id}`, apiToken: `demo-token-${id}`, ecrNumber: '66000001', profileId: 'counterfoil' }),
}

/** The sandbox on this machine, on any port. */
const SANDBOX_URL = /^http:\/\/(localhost|127\.0\.0\.1):\d+\/[a-z]+$/

/** Stores the demo resellers' accounts at the sandbox's providers, except where an operator has connected another. Makes no request. */
export const connectDemoPayments = async (deps: AppContext): Promise<void> => {
  for (const { id, payment } of RESELLERS)
    for (const [provider, settingsOf] of Object.entries(DEMO_SETTINGS)) {
      if (payment.type !== PAYMENT_TYPES[provider as ProviderName]) continue
      const currentUrl = await deps.store.transact({ role: 'counterfoil_reseller', resellerId: id }, (db) =>
        findAccountBaseUrl(db, id, provider),
      )
      if (currentUrl !== undefined && !SANDBOX_URL.test(currentUrl)) continue
      const baseUrl = `http://localhost:${deps.config.sandboxPort}/${provider}`
      await saveAccount(deps, { resellerId: id, provider, baseUrl, settings: settingsOf(id, deps.keys) })
      const publishableKey = provider === 'nexio' ? encryptionKey(deps) : demoPublishableKey(payment.type, id)
      if (publishableKey !== null)
        await deps.store.transact({ role: 'counterfoil_reseller', resellerId: id }, (db) => setPublishableKey(db, id, publishableKey))
    }
}

/**
 * The public key with which the browser encrypts card numbers for the sandbox's Nexio, made in the sandbox's folder where it is missing.
 */
const encryptionKey = ({ config }: AppContext): string => readOrCreateEncryptionKey(join(config.dataDir, 'sandbox'))
