import { Link } from 'react-router'
import type { LinkButtonProps } from '../../ui/button/link-button.tsx'
import styles from '../../ui/button/button.module.css'

/** A link to another screen of the app that looks like a button. */
export const RouterLinkButton = ({ href, children, kind = 'primary', label, state }: LinkButtonProps & { readonly state?: unknown }) => (
  <Link className={`${styles.button} ${styles[kind]}`} to={href} state={state} aria-label={label}>
    {children}
  </Link>
)
