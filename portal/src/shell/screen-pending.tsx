import { useLocation } from 'react-router'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { useAccount } from './account/account.tsx'
import styles from './app.module.css'
import { menuSections } from './navigation/sections.tsx'

/** Stands for a screen whose program or account is still loading: its title, as far as it is known, and the space of its content. */
export const ScreenPending = () => {
  const { pathname } = useLocation()
  const title = menuSections(useAccount()).find(({ path }) => path === pathname)?.label
  return (
    <div className={styles.pending}>
      {title ? <p className={styles.pendingTitle}>{title}</p> : <Skeleton width={200} height={36} />}
      <div className={styles.pendingContent}>
        <Skeleton height={180} />
        <Skeleton height={180} />
        <Skeleton height={320} />
        <div className={styles.pendingWords}>
          <Spinner label="Loading the page" />
        </div>
      </div>
    </div>
  )
}
