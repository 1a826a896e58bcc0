import { useEffect } from 'react'

/** How often the server is asked what became of a payment. */
export const ASK_INTERVAL_MS = 5_000

/** How long the server may take to say it. */
export const READ_TIMEOUT_MS = 60_000

/** A slow server is not asked ever more often. */
const MAX_PENDING = 3

/**
 * Calls `ask` every `ASK_INTERVAL_MS` while the page is visible, and at once when the browser is online again or the page is looked at
 * again.
 * @param ask  the same function until something else is to be asked; null to ask nothing
 */
export const useAskAgain = (ask: (() => Promise<unknown>) | null): void => {
  useEffect(() => {
    if (ask === null) return undefined
    let pending = 0
    const askNow = (): void => {
      if (document.visibilityState === 'hidden') return
      pending += 1
      void ask().finally(() => (pending -= 1))
    }
    const timer = setInterval(() => {
      if (pending < MAX_PENDING) askNow()
    }, ASK_INTERVAL_MS)
    addEventListener('online', askNow)
    addEventListener('focus', askNow)
    document.addEventListener('visibilitychange', askNow)
    return () => {
      clearInterval(timer)
      removeEventListener('online', askNow)
      removeEventListener('focus', askNow)
      document.removeEventListener('visibilitychange', askNow)
    }
  }, [ask])
}
