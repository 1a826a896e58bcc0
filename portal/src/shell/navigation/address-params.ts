import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_DELAY_MS = 300

/** A query parameter of the page's URL that is typed: its new text holds at once, and stands in the URL after `ADDRESS_DELAY_MS`. */
export const useTypedParam = (name: string): readonly [string, (text: string) => void] => {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get(name) ?? ''
  const [typed, setTyped] = useState({ text: inAddress, written: inAddress, seen: inAddress })
  if (typed.seen !== inAddress) {
    // Another text than the one written here comes from a link or from going back.
    setTyped({ ...typed, seen: inAddress, text: inAddress === typed.written ? typed.text : inAddress })
  }

  useEffect(() => {
    if (typed.text === inAddress) return undefined
    const timer = setTimeout(() => {
      setTyped((last) => ({ ...last, written: typed.text }))
      setParams(withParam(name, typed.text), { replace: true })
    }, ADDRESS_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed.text, inAddress, name, setParams])

  return [typed.text, (text) => setTyped((last) => ({ ...last, text }))]
}

/**
 * The query parameters of the page's URL as they are now. A change starts from these, because React Router gives those of the last render:
 * of two filters chosen quickly one after the other the first would be lost.
 */
export const addressParams = (): URLSearchParams => new URLSearchParams(location.search)

/** A copy of the query parameters with another value of one; an empty value removes the parameter. Nothing is written to the URL. */
export const withParam = (name: string, value: string, params = addressParams()): URLSearchParams => {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
