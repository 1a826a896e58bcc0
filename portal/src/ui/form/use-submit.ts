import { useRef, useState } from 'react'

export interface Sending {
  /** Something is being sent, or has been taken and the screen is about to go on. */
  readonly busy: boolean
  /** Why the last try failed; null while nothing is wrong. */
  readonly error: string | null
  /** Sends, unless something is being sent already: a double click is one press. */
  readonly send: (work: () => Promise<unknown>) => void
  /** Takes the error down, as typing does. */
  readonly clear: () => void
}

/** What work gives that is about to leave the page: its form stays closed until then. */
export const LEAVING = 'leaving'

/**
 * Sends a form once at a time.
 * @param wordsOf says of a failure what the person is told
 * @param holdMs  how long the form stays closed after a failure
 * @param before  what failed before the form was shown; null where nothing did
 */
export const useSending = (wordsOf: (failure: unknown) => string, holdMs = 0, before: string | null = null): Sending => {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(before)

  const open = (): void => {
    underWay.current = false
    setBusy(false)
  }
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if ((await work()) !== LEAVING) open()
    } catch (failure) {
      setError(wordsOf(failure))
      setTimeout(open, holdMs)
    }
  }
  const send = (work: () => Promise<unknown>): void => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setError(null)
    void run(work)
  }
  return { busy, error, send, clear: () => setError(null) }
}
