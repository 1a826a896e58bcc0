import { useEffect } from 'react'
import { isSubmitUnanswered } from './idempotency-key.ts'

const DELAY_MS = 5_000

/**
 * Loads once more, a moment after a page has opened whose submit was not answered: what was sent just before a reload may reach the
 * server after the first load.
 * @param subject what the idempotency key of the payment is for
 */
export const useLateSubmit = (subject: string, reload: () => unknown): void => {
  useEffect(() => {
    if (!isSubmitUnanswered(subject)) return undefined
    const timer = setTimeout(reload, DELAY_MS)
    return () => clearTimeout(timer)
  }, [subject, reload])
}
