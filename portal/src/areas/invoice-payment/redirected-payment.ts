import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'

/** A payment of this tab. Afterwards the invoice no longer says how much was due, nor with what it was paid. */
export interface OwnPayment {
  /** The total, as it was shown. */
  readonly paid: string
  readonly email: string
  readonly payment: PaymentSummary | null
}

const KEY_PREFIX = 'pay_return:'

/**
 * Keeps the payment in this tab's session storage while the browser is at the bank. Never throws: where nothing can be stored, nothing is.
 */
export const storeRedirectedPayment = (token: string, payment: OwnPayment): void => {
  try {
    sessionStorage.setItem(KEY_PREFIX + token, JSON.stringify(payment))
  } catch {
    // The page then says that the invoice is paid, without the amount.
  }
}

/** Reads the payment of a token from this tab's session storage and removes it; null when there is none. Never throws. */
export const takeRedirectedPayment = (token: string): OwnPayment | null => {
  try {
    const text = sessionStorage.getItem(KEY_PREFIX + token)
    sessionStorage.removeItem(KEY_PREFIX + token)
    const value: unknown = JSON.parse(text ?? 'null')
    return isOwnPayment(value) ? value : null
  } catch {
    return null
  }
}

/** Has the value the fields of a payment? */
const isOwnPayment = (value: unknown): value is OwnPayment =>
  typeof value === 'object' &&
  value !== null &&
  'paid' in value &&
  'email' in value &&
  'payment' in value &&
  typeof value.payment === 'object' &&
  typeof value.paid === 'string' &&
  typeof value.email === 'string'
