import { useNavigate } from 'react-router'
import { Button } from '../../ui/button/button.tsx'
import { useAccount } from '../account/account.tsx'
import { LOGOUT_PATH } from '../navigation/paths.ts'
import styles from './support-banner.module.css'

/** Shown on every page of a support session: whose session it is, and a button to end it. */
export const SupportBanner = () => {
  const { user } = useAccount()
  const navigate = useNavigate()
  if (!user.isSuperUser) return null
  return (
    <aside className={styles.banner} aria-label="Support session">
      <span className={styles.text} title={user.displayName}>
        Signed in by support as <b>{user.displayName}</b>
      </span>
      <Button kind="quiet" label="End the support session" onPress={() => void navigate(LOGOUT_PATH)}>
        End
      </Button>
    </aside>
  )
}
