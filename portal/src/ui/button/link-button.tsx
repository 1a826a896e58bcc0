import type { ReactNode } from 'react'
import type { ButtonKind } from './button.tsx'
import styles from './button.module.css'

export interface LinkButtonProps {
  href: string
  children: ReactNode
  kind?: ButtonKind
  /** The accessible name; must contain the visible text. */
  label?: string
  /** The browser saves what is there, and stays on the page. */
  isFile?: boolean
  /** Called before the link is followed. */
  onPress?: () => void
}

/** A link that looks like a button: for navigation, not for actions. */
export const LinkButton = ({ href, children, kind = 'primary', label, isFile = false, onPress }: LinkButtonProps) => (
  <a className={`${styles.button} ${styles[kind]}`} href={href} download={isFile || undefined} aria-label={label} onClick={onPress}>
    {children}
  </a>
)
