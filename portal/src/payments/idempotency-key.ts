const PREFIX = 'pay_key:'

/**
 * The key of one intention to pay: the same until there is a definite answer, also after the page was loaded anew, so that the
 * server takes a repeated press for the same payment (reliability.md §4.1).
 * @param what names what is being paid
 */
export const payKey = (what: string): string => {
  const kept = read(PREFIX + what)
  if (kept !== null) return kept
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  write(PREFIX + what, made)
  return made
}

/**
 * Forgets the key: the payment was made or refused, and the next press is a new one.
 * @returns whether there was one: a press of this tab that had no answer yet
 */
export const dropPayKey = (what: string): boolean => {
  const wasKept = read(PREFIX + what) !== null
  write(PREFIX + what, null)
  return wasKept
}

/** A browser may refuse storage; the server then knows a payment by what is being paid. */
const read = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

const write = (name: string, value: string | null): void => {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // See read.
  }
}
