import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const require = createRequire(import.meta.url)
let loaded: typeof Stripe | undefined

/**
 * Stripe's own library, read when it is first needed: its two hundred modules are a tenth of an idle server's memory, and most servers
 * start long before their first payment.
 */
export const stripeSdk = (): typeof Stripe => (loaded ??= require('stripe') as typeof Stripe)
