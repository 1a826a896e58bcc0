import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { MethodPaths } from './method-paths.ts'
import type { PaymentProvider } from './provider.ts'
import { authorizePaths } from './authorize/authorize.paths.ts'
import { authorize } from './authorize/authorize.ts'
import { bpointPaths } from './bpoint/bpoint.paths.ts'
import { bpoint } from './bpoint/bpoint.ts'
import { ippay } from './ippay/ippay.ts'
import { ippayPaths } from './ippay/ippay.paths.ts'
import { moneris } from './moneris/moneris.ts'
import { monerisPaths } from './moneris/moneris.paths.ts'
import { nexio } from './nexio/nexio.ts'
import { nexioPaths } from './nexio/nexio.paths.ts'
import { pinch } from './pinch/pinch.ts'
import { stripe } from './stripe/stripe.ts'

/** Every payment provider of the contract. It does not compile while one is missing. */
const PROVIDERS = {
  stripe,
  authorize,
  ippay,
  moneris,
  pinch,
  nexio,
  bpoint,
} as const satisfies Record<ProviderName, PaymentProvider>

const PROVIDERS_BY_NAME: ReadonlyMap<string, PaymentProvider> = new Map(Object.entries(PROVIDERS))

/** The provider of that name; undefined where this server has none. */
export const findProvider = (name: string): PaymentProvider | undefined => PROVIDERS_BY_NAME.get(name)

/** The paths for stored methods that providers have for themselves. */
export const METHOD_PATHS: readonly MethodPaths[] = [authorizePaths, bpointPaths, ippayPaths, monerisPaths, nexioPaths]
