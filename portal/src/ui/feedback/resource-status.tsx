import type { Resource } from '../use-resource.ts'
import { Spinner } from './spinner.tsx'
import { Unavailable } from './unavailable.tsx'

interface ResourceStatusProps {
  readonly resource: Resource<unknown>
  /** What is loaded, such as "The payment form". */
  readonly subject: string
}

/** A spinner while a resource loads, and a button to try again when it failed. */
export const ResourceStatus = ({ resource, subject }: ResourceStatusProps) => {
  if (resource.state === 'loading') return <Spinner label={`Loading ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`} />
  return resource.state === 'failed' ? <Unavailable subject={subject} onRetry={resource.retry} /> : null
}
