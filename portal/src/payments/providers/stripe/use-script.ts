import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { stripeFor } from './script.ts'

/** What is known of the payment company's script: on its way, here, not to be had, or not set up for this reseller. */
export type StripeScript =
  | { readonly state: 'loading' | 'unset' }
  | { readonly state: 'ready'; readonly stripe: Stripe }
  | { readonly state: 'failed'; readonly again: () => void }

/** Where a reseller's form comes from, as the server says it; null where it is not set up. */
export interface StripeAccount {
  readonly scriptUrl: string | null
  readonly publishableKey: string | null
}

/** Loads the payment company's script as soon as a form needs it. */
export const useStripeScript = ({ scriptUrl, publishableKey }: StripeAccount): StripeScript => {
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<{ attempt: number; stripe: Stripe | null } | null>(null)

  useEffect(() => {
    if (scriptUrl === null || publishableKey === null) return undefined
    let isWanted = true
    const take = (stripe: Stripe | null): void => {
      if (isWanted) setFound({ attempt, stripe })
    }
    stripeFor(scriptUrl, publishableKey).then(take, (failure: unknown) => {
      console.error(failure)
      take(null)
    })
    return () => {
      isWanted = false
    }
  }, [scriptUrl, publishableKey, attempt])

  if (scriptUrl === null || publishableKey === null) return { state: 'unset' }
  if (found === null || found.attempt !== attempt) return { state: 'loading' }
  if (found.stripe === null) return { state: 'failed', again: () => setAttempt(attempt + 1) }
  return { state: 'ready', stripe: found.stripe }
}
