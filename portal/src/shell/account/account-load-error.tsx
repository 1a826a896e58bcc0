import { Button } from '../../ui/button/button.tsx'
import { LinkButton } from '../../ui/button/link-button.tsx'
import styles from '../app.module.css'
import { FailureBanner } from '../failures/failure-banner.tsx'
import { LOGOUT_PATH } from '../navigation/paths.ts'

/** Shown when the account could not be loaded, or when the user has no customer. */
export const AccountLoadError = ({ onRetry, hasNoCustomer = false }: { onRetry: () => void; hasNoCustomer?: boolean }) => (
  <main className={styles.alone}>
    <FailureBanner />
    <h1 className={styles.title}>{hasNoCustomer ? 'No account to show' : 'We could not load your account'}</h1>
    <p>
      {hasNoCustomer
        ? 'Your sign-in works, but no customer account belongs to it. Please ask your provider to add one.'
        : 'Nothing is lost. Please try again in a moment.'}
    </p>
    <div className={styles.choices}>
      <Button onPress={onRetry}>Try again</Button>
      <LinkButton kind="quiet" href={LOGOUT_PATH}>
        Sign out
      </LinkButton>
    </div>
  </main>
)
