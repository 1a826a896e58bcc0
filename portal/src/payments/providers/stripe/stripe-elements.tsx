import { Elements } from '@stripe/react-stripe-js'
import type { ReactNode } from 'react'
import { type StripeAccount, type StripeScript, useStripeScript } from './use-stripe.ts'

interface ElementsRootProps {
  readonly account: StripeAccount
  readonly children: (script: StripeScript) => ReactNode
}

/** Loads the payment company's script for the form inside, which is told how far that is. */
export const ElementsRoot = ({ account, children }: ElementsRootProps) => {
  const script = useStripeScript(account)
  return (
    <Elements stripe={script.state === 'ready' ? script.stripe : null} options={{ locale: 'en' }}>
      {children(script)}
    </Elements>
  )
}
