import type { ReactNode } from 'react'
import styles from './error-text.module.css'

interface ErrorTextProps {
  /** The error; null or undefined while there is none. */
  readonly children: ReactNode
  /** `box` for the error of a whole form. */
  readonly kind?: 'text' | 'box'
}

/** An error that screen readers announce when it appears. */
export const ErrorText = ({ children, kind = 'text' }: ErrorTextProps) => (
  <span className={styles[kind]} role="alert">
    {children}
  </span>
)
