import type { Keys } from '../kit/keys.ts'

// An account of the sandbox's Stripe is known by the first word of its keys: here the reseller's id.

/** What a demo reseller's server signs in with. */
export const demoSecretKey = (resellerId: number): string => `sk_test_${resellerId}_counterfoil`

/** The key that the portal's page of a demo reseller carries. */
export const demoPublishableKey = (resellerId: number): string => `pk_test_${resellerId}_counterfoil`

/** What the sandbox signs its notices with; nobody else can know it. */
export const demoWebhookSecret = (keys: Keys): string => `whsec_${keys.mac('submit', 'demo notices').toString('hex')}`
