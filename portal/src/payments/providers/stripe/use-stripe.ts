import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { loadStripe } from './script.ts'

/** What is known of the payment company's script: on its way, here, not to be had, or not set up for this reseller. */
export type StripeScript =
  | { readonly state: 'loading' | 'unset' }
  | { readonly state: 'ready'; readonly stripe: Stripe }
  | { readonly state: 'failed'; readonly retry: () => void }

/** Where a reseller's form comes from, as the server says it; null where it is not set up. */
export interface StripeAccount {
  readonly scriptUrl: string | null
  readonly publishableKey: string | null
}

/** Loads the payment company's script as soon as a form needs it. */
export const useStripeScript = ({ scriptUrl, publishableKey }: StripeAccount): StripeScript => {
  const [attempt, setAttempt] = useState(0)
  const [loaded, setLoaded] = useState<{ attempt: number; stripe: Stripe | null } | null>(null)

  useEffect(() => {
    if (scriptUrl === null || publishableKey === null) return undefined
    let isMounted = true
    const setResult = (stripe: Stripe | null): void => {
      if (isMounted) setLoaded({ attempt, stripe })
    }
    loadStripe(scriptUrl, publishableKey).then(setResult, (failure: unknown) => {
      console.error(failure)
      setResult(null)
    })
    return () => {
      isMounted = false
    }
  }, [scriptUrl, publishableKey, attempt])

  if (scriptUrl === null || publishableKey === null) return { state: 'unset' }
  if (loaded === null || loaded.attempt !== attempt) return { state: 'loading' }
  if (loaded.stripe === null) return { state: 'failed', retry: () => setAttempt(attempt + 1) }
  return { state: 'ready', stripe: loaded.stripe }
}
