import { LinkButton } from '../ui/button/link-button.tsx'
import styles from './app.module.css'
import { PageTitle } from './page.tsx'

/** What every unknown address shows, and every section that the brand does not. */
export const NotFound = () => (
  <div className={styles.lost}>
    <PageTitle title="Page not found" />
    <p>There is nothing at this address. It may have been mistyped, or the page may have moved.</p>
    <LinkButton href="/">Go to the start page</LinkButton>
  </div>
)
