import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { Elements } from '@stripe/react-stripe-js'
import type { StripeElementsOptions } from '@stripe/stripe-js'
import type { ReactNode } from 'react'
import type { ProviderAccount } from '../../panel.ts'
import { type StripeScript, useStripeScript } from './use-stripe-script.ts'

/** Our own Inter, because the frames of Stripe's fields have none of the page's fonts. */
const OPTIONS: StripeElementsOptions = {
  locale: 'en',
  fonts: [{ family: 'Inter', src: `url(${new URL(interUrl, location.href).href})`, weight: '100 900' }],
}

interface StripeFormProps {
  readonly account: Pick<ProviderAccount, 'scriptUrl' | 'publishableKey'>
  readonly children: (script: StripeScript) => ReactNode
}

/**
 * Loads Stripe's script and provides its Elements to a form. The form is shown at once: `children` gets whether the script is loading,
 * ready, failed or not configured.
 */
export const StripeForm = ({ account, children }: StripeFormProps) => {
  const script = useStripeScript(account)
  return (
    <Elements stripe={script.state === 'ready' ? script.value : null} options={OPTIONS}>
      {children(script)}
    </Elements>
  )
}
