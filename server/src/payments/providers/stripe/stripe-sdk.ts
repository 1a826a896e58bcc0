import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const require = createRequire(import.meta.url)
let loaded: typeof Stripe | undefined

/** Stripe's library, loaded on first use: its two hundred modules take a tenth of an idle server's memory. */
export const stripeSdk = (): typeof Stripe => (loaded ??= require('stripe') as typeof Stripe)
