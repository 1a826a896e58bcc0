const PREFIX = 'pay_key:'

/**
 * The idempotency key of one payment. It stays the same until there is a definite response, also after a reload,
 * so that the server takes a second submit for the same payment.
 * @param subject  identifies what is being paid
 */
export const idempotencyKey = (subject: string): string => {
  const stored = readItem(PREFIX + subject)
  if (stored !== null) return stored
  const created = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  writeItem(PREFIX + subject, created)
  return created
}

/** Whether a submit of this tab has no definite response yet, as when the page was reloaded before it came. */
export const isSubmitUnanswered = (subject: string): boolean => readItem(PREFIX + subject) !== null

/**
 * Removes the key after a definite response: the next submit is a new payment.
 * @returns whether there was one, that is, a submit of this tab without a response
 */
export const clearIdempotencyKey = (subject: string): boolean => {
  const hadKey = isSubmitUnanswered(subject)
  writeItem(PREFIX + subject, null)
  return hadKey
}

/** The browser may block storage. The server then identifies a payment by what is being paid. */
const readItem = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

const writeItem = (name: string, value: string | null): void => {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // See readItem.
  }
}
