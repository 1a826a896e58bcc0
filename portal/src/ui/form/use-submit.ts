import { useRef, useState } from 'react'

export interface Submission {
  /** Something is being sent, or has been taken and the screen is about to go on. */
  readonly busy: boolean
  /** Why the last try failed; null while nothing is wrong. */
  readonly error: string | null
  /** Sends, unless something is being sent already: a double click is one press. */
  readonly submit: (work: () => Promise<unknown>) => void
  /** Takes the error down, as typing does. */
  readonly clearError: () => void
}

/** What work gives that is about to leave the page: its form stays closed until then. */
export const NAVIGATING = 'leaving'

/**
 * Sends a form once at a time.
 * @param toErrorText says of a failure what the person is told
 * @param holdMs  how long the form stays closed after a failure
 * @param initialError  what failed before the form was shown; null where nothing did
 */
export const useSubmit = (toErrorText: (failure: unknown) => string, holdMs = 0, initialError: string | null = null): Submission => {
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(initialError)

  const reopen = (): void => {
    isRunning.current = false
    setBusy(false)
  }
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if ((await work()) !== NAVIGATING) reopen()
    } catch (failure) {
      setError(toErrorText(failure))
      setTimeout(reopen, holdMs)
    }
  }
  const submit = (work: () => Promise<unknown>): void => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(null)
    void run(work)
  }
  return { busy, error, submit, clearError: () => setError(null) }
}
