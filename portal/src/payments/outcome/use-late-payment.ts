import { useEffect } from 'react'
import { ASK_INTERVAL_MS } from './use-ask-again.ts'
import { readSentPayment } from './sent-payment.ts'

/**
 * Asks once more, a moment after a page has opened whose payment has no outcome yet: what was sent just before a reload may reach the
 * server after the first load.
 * @param subject what is being paid
 */
export const useLatePayment = (subject: string, ask: () => unknown): void => {
  useEffect(() => {
    if (readSentPayment(subject) === null) return undefined
    const timer = setTimeout(ask, ASK_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [subject, ask])
}
