import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../../ui/feedback/unavailable.tsx'
import type { StripeScript } from './use-stripe.ts'

const NOT_SET_UP = "The payment gateway isn't configured properly. Please contact support if the issue persists."

/** Stands in place of a form whose script is on its way, could not be loaded, or is not set up (payments.md §8). */
export const ScriptWait = ({ script }: { script: StripeScript }) => {
  if (script.state === 'unset') return <p role="alert">{NOT_SET_UP}</p>
  if (script.state === 'loading') return <Spinner label="Loading the form" />
  return script.state === 'failed' ? <Unavailable subject="The form of our payment partner" onRetry={script.retry} /> : null
}
