import { authorize } from './authorize.driver.ts'
import { bpoint } from './bpoint.driver.ts'
import { ippay } from './ippay.driver.ts'
import { moneris } from './moneris.driver.ts'
import { nexio } from './nexio.driver.ts'
import { pinch } from './pinch.driver.ts'
import type { ProviderDriver } from './provider-driver.ts'

/** The companies that the suites of this folder show; Stripe, by which all other payments are shown, has its own in the folder above. */
export const DRIVERS: readonly ProviderDriver[] = [authorize, bpoint, ippay, moneris, nexio, pinch]
