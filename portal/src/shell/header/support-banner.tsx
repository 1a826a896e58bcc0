import { useNavigate } from 'react-router'
import { Button } from '../../ui/button/button.tsx'
import { useAccount } from '../account.tsx'
import { LOGOUT } from '../paths.ts'
import styles from './support-banner.module.css'

/** Says in a support session in whose name it is, over every page, and ends it. */
export const SupportBanner = () => {
  const { person } = useAccount()
  const navigate = useNavigate()
  if (!person.superUser) return null
  return (
    <aside className={styles.banner} aria-label="Support session">
      <span className={styles.words} title={person.displayName}>
        Signed in by support as <b>{person.displayName}</b>
      </span>
      <Button kind="quiet" label="End the support session" onPress={() => void navigate(LOGOUT)}>
        End
      </Button>
    </aside>
  )
}
