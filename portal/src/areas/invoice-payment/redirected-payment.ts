/** A payment that was redirected to the bank. Afterwards the invoice no longer says how much was due. */
export interface RedirectedPayment {
  readonly paid: string
  readonly email: string
}

const KEY_PREFIX = 'pay_return:'

/** Stores the payment in this tab until the browser returns. */
export const storeRedirectedPayment = (token: string, payment: RedirectedPayment): void => {
  try {
    sessionStorage.setItem(KEY_PREFIX + token, JSON.stringify(payment))
  } catch {
    // The page then says that the invoice is paid, without the amount.
  }
}

/** Takes the stored payment out of the tab's storage; null when there is none. */
export const takeRedirectedPayment = (token: string): RedirectedPayment | null => {
  try {
    const text = sessionStorage.getItem(KEY_PREFIX + token)
    sessionStorage.removeItem(KEY_PREFIX + token)
    const value: unknown = JSON.parse(text ?? 'null')
    return isRedirectedPayment(value) ? value : null
  } catch {
    return null
  }
}

const isRedirectedPayment = (value: unknown): value is RedirectedPayment =>
  typeof value === 'object' &&
  value !== null &&
  'paid' in value &&
  'email' in value &&
  typeof value.paid === 'string' &&
  typeof value.email === 'string'
