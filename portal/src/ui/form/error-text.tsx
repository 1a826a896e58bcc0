import { SupportText } from '../feedback/support-text.tsx'
import styles from './error-text.module.css'

interface ErrorTextProps {
  /** The error; anything but a string is none. */
  readonly children: string | false | null | undefined
  /** `box` for the error of a whole form. */
  readonly kind?: 'text' | 'box'
}

/** An error that screen readers announce when it appears. */
export const ErrorText = ({ children: error, kind = 'text' }: ErrorTextProps) => {
  if (kind === 'text') {
    return (
      <span className={styles.text} role="alert">
        {error && <SupportText>{error}</SupportText>}
      </span>
    )
  }
  return (
    <div className={styles.box} role="alert">
      {error && (
        <p>
          <SupportText>{error}</SupportText>
        </p>
      )}
    </div>
  )
}
