import type { ReactNode } from 'react'
import styles from './button.module.css'
import { Spinner } from '../feedback/spinner.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'

export type ButtonKind = 'primary' | 'quiet' | 'plain'

export interface ButtonProps {
  children: ReactNode
  /** `primary` for the one thing the screen is for, `quiet` for the others, `plain` inside rows and bars. */
  kind?: ButtonKind
  /** The action is under way: the button keeps the focus, cannot be pressed again and says `busyText`. */
  busy?: boolean
  busyText?: string
  disabled?: boolean
  /** The whole name for a screen reader where the visible words alone do not tell which row is meant; contains those words. */
  label?: string | undefined
  type?: 'button' | 'submit'
  wide?: boolean
  onPress?: () => void
}

/** A button that says what it is doing while it does it. */
export const Button = (props: ButtonProps) => {
  const { children, kind = 'primary', busy = false, busyText, disabled = false, label, type = 'button', wide = false, onPress } = props
  return (
    <>
      <button
        className={`${styles.button} ${styles[kind]} ${wide ? styles.wide : ''}`}
        // A form whose button is at work is not sent again by Enter.
        type={type === 'submit' && !busy ? 'submit' : 'button'}
        disabled={disabled && !busy}
        aria-disabled={busy || undefined}
        aria-label={busy ? undefined : label}
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
