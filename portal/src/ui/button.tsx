import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import styles from './button.module.css'
import { Spinner } from './spinner.tsx'

export type ButtonKind = 'primary' | 'quiet' | 'plain'

export interface ButtonProps {
  children: ReactNode
  /** `primary` for the one thing the screen is for, `quiet` for the others, `plain` inside rows and bars. */
  kind?: ButtonKind
  /** The action is under way: the button keeps the focus, cannot be pressed again and says `busyText`. */
  busy?: boolean
  busyText?: string
  disabled?: boolean
  /** The whole name for a screen reader where the visible words alone do not tell which row is meant. */
  label?: string
  type?: 'button' | 'submit'
  wide?: boolean
  onPress?: () => void
}

/** A button that says what it is doing while it does it. */
export const Button = ({
  children,
  kind = 'primary',
  busy = false,
  busyText,
  disabled = false,
  label,
  type = 'button',
  wide,
  onPress,
}: ButtonProps) => (
  <AriaButton
    className={`${styles.button} ${styles[kind]} ${wide ? styles.wide : ''}`}
    type={type}
    isDisabled={disabled}
    isPending={busy}
    {...(label !== undefined && !busy && { 'aria-label': label })}
    {...(onPress && { onPress })}
  >
    {busy && <Spinner size="small" />}
    {busy && busyText !== undefined ? busyText : children}
  </AriaButton>
)
