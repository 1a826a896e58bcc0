import type { ReactNode } from 'react'
import styles from './button.module.css'
import { Spinner } from '../feedback/spinner.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'

export type ButtonKind = 'primary' | 'quiet' | 'plain' | 'danger'

export interface ButtonProps {
  children: ReactNode
  /** `primary` for the main action of a screen, `quiet` for the others, `plain` inside rows and bars, `danger` for what removes something. */
  kind?: ButtonKind
  /** The action is running: the button keeps the focus, ignores clicks and shows `busyText`. */
  busy?: boolean
  busyText?: string
  disabled?: boolean
  /** The accessible name when the visible text does not tell which row is meant; it contains the visible text. */
  label?: string | undefined
  /** The id of a text that says more, such as why the button is disabled. */
  describedBy?: string | undefined
  type?: 'button' | 'submit'
  /** `large` on the pages before sign-in. */
  size?: 'medium' | 'large'
  wide?: boolean
  onPress?: () => void
}

/** A button with a busy state. */
export const Button = (props: ButtonProps) => {
  const {
    children,
    kind = 'primary',
    busy = false,
    busyText,
    disabled = false,
    label,
    describedBy,
    type = 'button',
    size = 'medium',
    wide = false,
    onPress,
  } = props
  return (
    <>
      <button
        className={`${styles.button} ${styles[kind]} ${size === 'large' ? styles.large : ''} ${wide ? styles.wide : ''}`}
        // Enter does not submit the form again while the button is busy.
        type={type === 'submit' && !busy ? 'submit' : 'button'}
        disabled={disabled && !busy}
        aria-disabled={busy || undefined}
        aria-label={busy ? undefined : label}
        aria-describedby={describedBy}
        onClick={busy ? undefined : onPress}
      >
        {busy && <Spinner size="small" />}
        {busy && busyText !== undefined ? busyText : children}
      </button>
      {busyText !== undefined && (
        <VisuallyHidden>
          <output>{busy && busyText}</output>
        </VisuallyHidden>
      )}
    </>
  )
}
