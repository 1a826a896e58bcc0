import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { AnyProvider } from './provider.ts'
import { stripe } from './stripe/stripe.ts'

/** Every payment provider of this installation. */
const PROVIDERS = { stripe } satisfies Partial<Record<ProviderName, AnyProvider>>

/** The provider of that name; undefined where none is registered. */
export const findProvider = (name: string): AnyProvider | undefined => (PROVIDERS as Readonly<Record<string, AnyProvider>>)[name]
