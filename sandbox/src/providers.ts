import { Authorize } from './authorize/authorize.ts'
import { authorizeWebhookFrom } from './authorize/authorize.settings.ts'
import type { DefaultWebhook as AuthorizeWebhook } from './authorize/webhooks/webhook-sender.ts'
import { Bpoint } from './bpoint/bpoint.ts'
import type { Faults } from './faults/faults.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Settlements } from './ledger/settlements.ts'
import { IPpay } from './ippay/ippay.ts'
import { Moneris } from './moneris/moneris.ts'
import { Nexio } from './nexio/nexio.ts'
import { type NexioWebhook, nexioWebhookFrom } from './nexio/nexio.settings.ts'
import { Pinch } from './pinch/pinch.ts'
import { type PinchWebhook, pinchWebhookFrom } from './pinch/pinch.settings.ts'
import { Stripe } from './stripe/stripe.ts'
import { stripeWebhookFrom } from './stripe/stripe.settings.ts'
import type { DefaultWebhook } from './stripe/webhooks/webhook-sender.ts'

/** The providers that exist. */
export interface Providers {
  readonly stripe: Stripe
  readonly authorize: Authorize
  readonly nexio: Nexio
  readonly moneris: Moneris
  readonly bpoint: Bpoint
  readonly ippay: IPpay
  readonly pinch: Pinch
}

export interface ProviderOptions {
  /** Receives every event of the sandbox's Stripe. */
  readonly stripeWebhook?: DefaultWebhook | undefined
  /** Receives every notification of the sandbox's Authorize.net. */
  readonly authorizeWebhook?: AuthorizeWebhook | undefined
  /** Receives every event of the sandbox's Nexio. */
  readonly nexioWebhook?: NexioWebhook | undefined
  /** Receives every event of the sandbox's Pinch. */
  readonly pinchWebhook?: PinchWebhook | undefined
}

interface ProviderDeps {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** The current time in milliseconds. */
  readonly clock: () => number
}

export const openProviders = (
  deps: ProviderDeps,
  { stripeWebhook, authorizeWebhook, nexioWebhook, pinchWebhook }: ProviderOptions,
): Providers => ({
  stripe: new Stripe({ ...deps, defaultWebhook: stripeWebhook }),
  authorize: new Authorize({ ...deps, defaultWebhook: authorizeWebhook }),
  nexio: new Nexio({ ...deps, defaultWebhook: nexioWebhook }),
  moneris: new Moneris(deps),
  bpoint: new Bpoint(deps),
  ippay: new IPpay(deps),
  pinch: new Pinch({ ...deps, defaultWebhook: pinchWebhook }),
})

/** Removes all payments; customers and their methods stay. */
export const resetProviders = (providers: Providers): void => {
  for (const provider of Object.values<Providers[keyof Providers]>({ ...providers })) provider.reset()
}

/**
 * The providers' settings from the environment.
 * @throws RangeError when one is not valid
 */
export const providerOptionsFrom = (env: Readonly<Record<string, string | undefined>>): ProviderOptions => ({
  stripeWebhook: stripeWebhookFrom(env),
  authorizeWebhook: authorizeWebhookFrom(env),
  nexioWebhook: nexioWebhookFrom(env),
  pinchWebhook: pinchWebhookFrom(env),
})
