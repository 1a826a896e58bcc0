import type { Stripe } from '@stripe/stripe-js'
import { useCallback } from 'react'
import { type Resource, useResource } from '../../../../ui/use-resource.ts'
import type { ProviderAccount } from '../../panel.ts'
import { loadStripe } from './script.ts'

/** Stripe's script for an account, or that the account is not configured. */
export type StripeScript = Resource<Stripe> | { readonly state: 'not-configured' }

/** Loads Stripe's script for the account as soon as a form needs it; without an address or a key the state is "not-configured". */
export const useStripeScript = ({ scriptUrl, publishableKey }: Pick<ProviderAccount, 'scriptUrl' | 'publishableKey'>): StripeScript => {
  const isConfigured = scriptUrl !== null && publishableKey !== null
  const load = useCallback(() => loadStripe(scriptUrl ?? '', publishableKey ?? ''), [scriptUrl, publishableKey])
  const script = useResource(isConfigured ? load : null)
  return isConfigured ? script : { state: 'not-configured' }
}
