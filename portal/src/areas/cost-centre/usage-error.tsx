import { ApiError, messageOf } from '../../api/call-api.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './cost-centre.module.css'

/** Says that this month's usage could not be added up: the server's sentence where there is too much of it, else a retry. */
export const UsageError = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <div className={styles.usageError}>
    {error instanceof ApiError && error.code === 'too_many_records' ? (
      <p>{messageOf(error)}</p>
    ) : (
      <Unavailable subject="This month’s usage" onRetry={onRetry} />
    )}
  </div>
)
