import { Button } from '../ui/button/button.tsx'
import { LinkButton } from '../ui/button/link-button.tsx'
import styles from './app.module.css'
import { FailureBanner } from '../api/query-client.tsx'
import { LOGOUT } from './paths.ts'

/** Stands in place of the app when its first calls failed, or when the user may act for nobody. */
export const StartFailed = ({ onAgain, noCustomer = false }: { onAgain: () => void; noCustomer?: boolean }) => (
  <main className={styles.alone}>
    <FailureBanner />
    <h1 className={styles.title}>{noCustomer ? 'No account to show' : 'We could not load your account'}</h1>
    <p>
      {noCustomer
        ? 'Your sign-in works, but no customer account belongs to it. Please ask your provider to add one.'
        : 'Nothing is lost. Please try again in a moment.'}
    </p>
    <div className={styles.choices}>
      <Button onPress={onAgain}>Try again</Button>
      <LinkButton kind="quiet" href={LOGOUT}>
        Log Out
      </LinkButton>
    </div>
  </main>
)
