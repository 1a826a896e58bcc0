import { LinkButton } from '../../ui/button/link-button.tsx'
import styles from '../app.module.css'
import { PageTitle } from '../page.tsx'

/** Shown at unknown paths, and at sections that the brand has disabled. */
export const NotFound = () => (
  <div className={styles.lost}>
    <PageTitle title="Page not found" />
    <p>There is nothing at this address. It may have been mistyped, or the page may have moved.</p>
    <LinkButton href="/">Go to the start page</LinkButton>
  </div>
)
