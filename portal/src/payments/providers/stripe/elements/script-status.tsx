import { ErrorText } from '../../../../ui/form/error-text.tsx'
import { ResourceStatus } from '../../../../ui/feedback/resource-status.tsx'
import type { StripeScript } from './use-stripe-script.ts'

const NOT_CONFIGURED = "The payment gateway isn't configured properly. Please contact support if the issue persists."

/** Shown in place of a form while its script loads, when it failed to load, and when the account is not configured. */
export const ScriptStatus = ({ script }: { script: StripeScript }) => {
  if (script.state === 'not-configured') return <ErrorText kind="box">{NOT_CONFIGURED}</ErrorText>
  return <ResourceStatus resource={script} subject="The form of our payment partner" />
}
