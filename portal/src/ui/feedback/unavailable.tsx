import { Button } from '../button/button.tsx'
import { focusContent } from '../focus.ts'
import styles from './unavailable.module.css'

/** Stands where something should be that could not be loaded, with a way to ask for it again. */
export const Unavailable = ({ what, onAgain }: { what: string; onAgain: () => void }) => {
  const again = (): void => {
    focusContent()
    onAgain()
  }
  return (
    <div className={styles.unavailable}>
      <span>{what} could not be loaded.</span>
      <Button kind="quiet" label={`Try again: ${what}`} onPress={again}>
        Try again
      </Button>
    </div>
  )
}
