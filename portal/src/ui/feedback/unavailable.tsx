import { Button } from '../button/button.tsx'
import { focusContent } from '../focus.ts'
import styles from './unavailable.module.css'

/** Shown in place of content that could not be loaded, with a button to try again. */
export const Unavailable = ({ subject, onRetry }: { subject: string; onRetry: () => void }) => {
  const retry = (): void => {
    focusContent()
    onRetry()
  }
  return (
    <div className={styles.unavailable}>
      <span>{subject} could not be loaded.</span>
      <Button kind="quiet" label={`Try again: ${subject}`} onPress={retry}>
        Try again
      </Button>
    </div>
  )
}
