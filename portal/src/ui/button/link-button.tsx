import type { ReactNode } from 'react'
import type { ButtonKind } from './button.tsx'
import styles from './button.module.css'

export interface LinkButtonProps {
  href: string
  children: ReactNode
  kind?: ButtonKind
  /** The accessible name; must contain the visible text. */
  label?: string
  /** Called before the link is followed. */
  onPress?: () => void
}

/** A link that looks like a button: for navigation, not for actions. */
export const LinkButton = ({ href, children, kind = 'primary', label, onPress }: LinkButtonProps) => (
  <a className={`${styles.button} ${styles[kind]}`} href={href} aria-label={label} onClick={onPress}>
    {children}
  </a>
)
