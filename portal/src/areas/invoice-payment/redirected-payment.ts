/** What was being paid when the browser left for a confirmation: after it, nothing is left to pay and the amount is gone. */
export interface RedirectedPayment {
  readonly paid: string
  readonly email: string
}

const KEY_PREFIX = 'pay_return:'

/** Remembers it in this tab, for the way back. */
export const storeRedirectedPayment = (token: string, payment: RedirectedPayment): void => {
  try {
    sessionStorage.setItem(KEY_PREFIX + token, JSON.stringify(payment))
  } catch {
    // Without it the page says that the invoice is paid, but not how much was.
  }
}

/** What was remembered, once; null when nothing was. */
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
