const PREFIX = 'pay_key:'

/**
 * The key of one intention to pay: the same until there is a definite answer, also after the page was loaded anew, so that the
 * server takes a repeated press for the same payment (reliability.md §4.1).
 * @param subject names what is being paid
 */
export const idempotencyKey = (subject: string): string => {
  const stored = readItem(PREFIX + subject)
  if (stored !== null) return stored
  const created = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  writeItem(PREFIX + subject, created)
  return created
}

/**
 * Forgets the key: the payment was made or refused, and the next press is a new one.
 * @returns whether there was one: a press of this tab that had no answer yet
 */
export const clearIdempotencyKey = (subject: string): boolean => {
  const hadKey = readItem(PREFIX + subject) !== null
  writeItem(PREFIX + subject, null)
  return hadKey
}

/** A browser may refuse storage; the server then knows a payment by what is being paid. */
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
    // See read.
  }
}
