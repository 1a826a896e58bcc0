import { Spinner } from '../ui/spinner.tsx'
import { Unavailable } from '../ui/unavailable.tsx'
import type { StripeScript } from './use-stripe-script.ts'

/** Stands in place of a form whose script is on its way, or could not be loaded. */
export const ScriptWait = ({ script }: { script: StripeScript }) => {
  if (script.state === 'loading') return <Spinner label="Loading the form" />
  return script.state === 'failed' ? <Unavailable what="The form of our payment partner" onAgain={script.again} /> : null
}
