import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { stripeFor } from './stripe-script.ts'

/** What is known of the payment company's script: on its way, here, or not to be had. */
export type StripeScript =
  | { readonly state: 'loading' }
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
    let isWanted = true
    const take = (stripe: Stripe | null): void => {
      if (isWanted) setFound({ attempt, stripe })
    }
    loaded(scriptUrl, publishableKey).then(take, (failure: unknown) => {
      console.error(failure)
      take(null)
    })
    return () => {
      isWanted = false
    }
  }, [scriptUrl, publishableKey, attempt])

  if (found === null || found.attempt !== attempt) return { state: 'loading' }
  if (found.stripe === null) return { state: 'failed', again: () => setAttempt(attempt + 1) }
  return { state: 'ready', stripe: found.stripe }
}

const loaded = async (scriptUrl: string | null, publishableKey: string | null): Promise<Stripe> => {
  if (scriptUrl === null || publishableKey === null) throw new Error('The payment company is not set up.')
  return stripeFor(scriptUrl, publishableKey)
}
