import { useRef } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import styles from '../../public/public.module.css'
import { Spinner } from '../../ui/feedback/spinner.tsx'

/** Shown at `/la/{code}` while the code is exchanged for a session. */
export const SupportPage = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <PublicPage title="Support sign-in" intro="" headingRef={heading}>
      <output className={styles.wait}>
        <Spinner size="small" />
        Signing you in…
      </output>
    </PublicPage>
  )
}
