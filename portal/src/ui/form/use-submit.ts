import { useRef, useState } from 'react'

export interface Submission {
  /** A submit is running, or has succeeded and the page is about to navigate. */
  readonly busy: boolean
  /** Why the last submit failed; null without an error. */
  readonly error: string | null
  /** Runs the submit, unless one is running: a double click submits once. */
  readonly submit: (work: () => Promise<unknown>) => void
  /** Shows an error that is not one of a submit. */
  readonly showError: (text: string) => void
  /** Removes the error, for example when the user types. */
  readonly clearError: () => void
}

/** Returned by a submit that is about to leave the page: the form stays busy until then. */
export const NAVIGATING = 'leaving'

/**
 * A function that runs a form's submit, one at a time, and whether it is running or has failed.
 * @param toErrorText  the text to show for a failure
 * @param holdMs  how long the form stays busy after a failure
 * @param initialError  an error from before the form was shown; null without one
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
  return { busy, error, submit, showError: setError, clearError: () => setError(null) }
}
