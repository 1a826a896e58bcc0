/** What was being paid when the browser left for a confirmation: after it, nothing is left to pay and the amount is gone. */
export interface Leaving {
  readonly paid: string
  readonly email: string
}

const NAME = 'pay_return:'

/** Remembers it in this tab, for the way back. */
export const rememberLeaving = (token: string, leaving: Leaving): void => {
  try {
    sessionStorage.setItem(NAME + token, JSON.stringify(leaving))
  } catch {
    // Without it the page says that the invoice is paid, but not how much was.
  }
}

/** What was remembered, once; null when nothing was. */
export const takeLeaving = (token: string): Leaving | null => {
  try {
    const text = sessionStorage.getItem(NAME + token)
    sessionStorage.removeItem(NAME + token)
    const value: unknown = JSON.parse(text ?? 'null')
    return isLeaving(value) ? value : null
  } catch {
    return null
  }
}

const isLeaving = (value: unknown): value is Leaving =>
  typeof value === 'object' &&
  value !== null &&
  'paid' in value &&
  'email' in value &&
  typeof value.paid === 'string' &&
  typeof value.email === 'string'
