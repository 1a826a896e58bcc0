import type { FastifyInstance } from 'fastify'
import { Authorize } from './authorize/authorize.ts'
import { authorizeRoutes } from './authorize/authorize.routes.ts'
import { Bpoint } from './bpoint/bpoint.ts'
import { bpointRoutes } from './bpoint/bpoint.routes.ts'
import { IPpay } from './ippay/ippay.ts'
import { ippayRoutes } from './ippay/ippay.routes.ts'
import type { ProviderDeps } from './kit/provider.ts'
import type { SharedWebhook } from './kit/webhook-sender.ts'
import { webhookFrom } from './kit/webhook-settings.ts'
import { Moneris } from './moneris/moneris.ts'
import { monerisRoutes } from './moneris/moneris.routes.ts'
import { Nexio } from './nexio/nexio.ts'
import { nexioRoutes } from './nexio/nexio.routes.ts'
import { Pinch } from './pinch/pinch.ts'
import { pinchRoutes } from './pinch/pinch.routes.ts'
import type { ProviderName } from './provider-names.ts'
import { Stripe } from './stripe/stripe.ts'
import { stripeRoutes } from './stripe/stripe.routes.ts'

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

/** Webhooks that receive every event of every account of a provider. */
export interface ProviderOptions {
  readonly webhooks?: Readonly<Partial<Record<ProviderName, SharedWebhook | undefined>>>
}

/** Opens every provider on its stored objects, and goes on with the webhook events that were not delivered. */
export const openProviders = (deps: ProviderDeps, { webhooks = {} }: ProviderOptions): Providers => ({
  stripe: new Stripe(deps, webhooks.stripe),
  authorize: new Authorize(deps, webhooks.authorize),
  nexio: new Nexio(deps, webhooks.nexio),
  moneris: new Moneris(deps),
  bpoint: new Bpoint(deps),
  ippay: new IPpay(deps),
  pinch: new Pinch(deps, webhooks.pinch),
})

/** Serves each provider under its own prefix. */
export const registerProviders = (app: FastifyInstance, providers: Providers): void => {
  app.register(stripeRoutes, { prefix: '/stripe', stripe: providers.stripe })
  app.register(authorizeRoutes, { prefix: '/authorize', authorize: providers.authorize })
  app.register(nexioRoutes, { prefix: '/nexio', nexio: providers.nexio })
  app.register(monerisRoutes, { prefix: '/moneris', moneris: providers.moneris })
  app.register(bpointRoutes, { prefix: '/bpoint', bpoint: providers.bpoint })
  app.register(ippayRoutes, { prefix: '/ippay', ippay: providers.ippay })
  app.register(pinchRoutes, { prefix: '/pinch', pinch: providers.pinch })
}

/** Removes all payments of every provider, in memory and on disk; customers and their methods stay. */
export const resetProviders = (providers: Providers): void => {
  for (const provider of Object.values<Providers[keyof Providers]>({ ...providers })) provider.reset()
}

/** Cancels the pending webhook events of every provider; they are sent after the next start. */
export const closeProviders = (providers: Providers): void => {
  for (const provider of Object.values<Providers[keyof Providers]>({ ...providers })) provider.close()
}

/** The shared webhooks of the providers, from the environment. @throws RangeError when one is not valid */
export const providerOptionsFrom = (env: Readonly<Record<string, string | undefined>>): ProviderOptions => ({
  webhooks: {
    stripe: webhookFrom(env, 'SANDBOX_STRIPE_WEBHOOK'),
    authorize: webhookFrom(env, 'SANDBOX_AUTHORIZE_WEBHOOK', 'SANDBOX_AUTHORIZE_WEBHOOK_KEY'),
    nexio: webhookFrom(env, 'SANDBOX_NEXIO_WEBHOOK'),
    pinch: webhookFrom(env, 'SANDBOX_PINCH_WEBHOOK'),
  },
})
