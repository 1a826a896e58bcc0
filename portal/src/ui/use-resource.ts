import { useEffect, useState } from 'react'

/** Something that is loaded once. */
export type Resource<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly retry: () => void }

interface Result<Value> {
  readonly load: () => Promise<Value>
  readonly attempt: number
  /** Undefined after a failure. */
  readonly value: Value | undefined
}

/**
 * Loads something that is neither a query nor a screen: a module or a script. A value of undefined counts as a failure.
 * @param load  the same function on every render, until something else is to be loaded; null to load nothing
 */
export const useResource = <Value>(load: (() => Promise<Value>) | null): Resource<Value> => {
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<Result<Value> | null>(null)

  useEffect(() => {
    if (load === null) return undefined
    let isCurrent = true
    const settle = (value: Value | undefined): void => {
      if (isCurrent) setResult({ load, attempt, value })
    }
    load().then(settle, (failure: unknown) => {
      console.error(failure)
      settle(undefined)
    })
    return () => {
      isCurrent = false
    }
  }, [load, attempt])

  if (result === null || result.load !== load || result.attempt !== attempt) return { state: 'loading' }
  if (result.value === undefined) return { state: 'failed', retry: () => setAttempt(attempt + 1) }
  return { state: 'ready', value: result.value }
}
