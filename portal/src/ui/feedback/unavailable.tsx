import { Button } from '../button/button.tsx'
import { focusContent } from '../focus.ts'
import styles from './unavailable.module.css'

/** Stands where something should be that could not be loaded, with a way to ask for it again. */
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
