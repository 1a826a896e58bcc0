import { Elements } from '@stripe/react-stripe-js'
import type { ReactNode } from 'react'
import type { ProviderAccount } from '../../panel.ts'
import { type StripeScript, useStripeScript } from './use-stripe-script.ts'

interface StripeFormProps {
  readonly account: Pick<ProviderAccount, 'scriptUrl' | 'publishableKey'>
  readonly children: (script: StripeScript) => ReactNode
}

/** Loads Stripe's script for the form inside, and provides its elements. */
export const StripeForm = ({ account, children }: StripeFormProps) => {
  const script = useStripeScript(account)
  return (
    <Elements stripe={script.state === 'ready' ? script.value : null} options={{ locale: 'en' }}>
      {children(script)}
    </Elements>
  )
}
