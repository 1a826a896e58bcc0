const PREFIX = 'pay_key:'

/** A payment that this tab has sent, until its outcome is known, also after a reload. Neither part is a secret. */
export interface SentPayment {
  /** Its idempotency key: a repeated press sends it again, and the server takes both for the same payment. */
  readonly key: string
  /** The last payment that was known when it was sent; null without one. The outcome of that one is not its outcome. */
  readonly previousId: string | null
}

/**
 * Stores in this tab's session storage that a payment is sent. One that has no outcome yet keeps its key.
 * @param subject  identifies what is being paid
 */
export const startPayment = (subject: string, previousId: string | null): SentPayment => {
  const sent = { key: readSentPayment(subject)?.key ?? createKey(), previousId }
  writeItem(PREFIX + subject, `${sent.key} ${previousId ?? ''}`)
  return sent
}

/** A random idempotency key, in hexadecimal. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The payment in this tab's session storage that was sent and whose outcome is not known; null without one. */
export const readSentPayment = (subject: string): SentPayment | null => {
  const [key = '', previousId = ''] = readItem(PREFIX + subject)?.split(' ') ?? []
  return key === '' ? null : { key, previousId: previousId === '' ? null : previousId }
}

/** Removes the payment from this tab's session storage, because its outcome is known: the next press of the button is another payment. */
export const endPayment = (subject: string): void => writeItem(PREFIX + subject, null)

/**
 * Forgets the payment that this tab has sent, since the last payment has failed; not when that is an earlier payment than this tab's.
 * @returns whether it was the payment of this tab
 */
export const endFailedPayment = (subject: string, lastPaymentId: string | null): boolean => {
  const sent = readSentPayment(subject)
  const isOutcome = sent !== null && sent.previousId !== lastPaymentId
  if (isOutcome) endPayment(subject)
  return isOutcome
}

/** An item of this tab's session storage; null without one, and where the browser blocks storage. */
const readItem = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/** Writes an item to this tab's session storage; null removes it. Never throws: nothing is stored where the browser blocks storage. */
const writeItem = (name: string, value: string | null): void => {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // See readItem.
  }
}
