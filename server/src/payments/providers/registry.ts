import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { AnyProvider } from './provider.ts'
import { stripe } from './stripe/stripe.ts'

/** Every payment company that this installation can speak to. */
const PROVIDERS = { stripe } satisfies Partial<Record<ProviderName, AnyProvider>>

/** The provider of that name; undefined for one that there is not. */
export const findProvider = (name: string): AnyProvider | undefined => (PROVIDERS as Readonly<Record<string, AnyProvider>>)[name]
