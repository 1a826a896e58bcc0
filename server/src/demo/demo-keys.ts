import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { Keys } from '../kit/keys.ts'

// The sandbox's Stripe identifies an account by the first word of its keys: here the reseller's id.

/** The secret key of a demo reseller's account. */
export const demoSecretKey = (resellerId: number): string => `sk_test_${resellerId}_counterfoil`

/** The publishable key of a demo reseller with a payment type; null where its provider has none. */
export const demoPublishableKey = (paymentType: number, resellerId: number): string | null => {
  if (paymentType === PAYMENT_TYPES.stripe) return `pk_test_${resellerId}_counterfoil`
  return paymentType === PAYMENT_TYPES.pinch ? `pk_test_${resellerId}` : null
}

/** The secret with which the sandbox signs its webhooks to this installation, derived from the keys. */
export const demoWebhookSecret = (keys: Keys): string => `whsec_${keys.mac('submit', 'demo notices').toString('hex')}`
