import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import styles from '../../public/public.module.css'
import { ResetPasswordForm } from './reset-password-form.tsx'

const UPDATED_TEXT =
  'Your password has been reset successfully! Your new password has been sent to your primary email address. Click Back to Login to return to the login page.'

/** `/reset-password/{token}`: sets a new password with a mailed link (RST-01). */
export const ResetPasswordPage = ({ token }: { readonly token: string }) => {
  const [isDone, setDone] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  // The submit button, which had the focus, is no longer there.
  useEffect(() => {
    if (isDone) heading.current?.focus()
  }, [isDone])

  return (
    <PublicPage
      title={isDone ? 'Password updated' : 'Choose a new password'}
      intro={isDone ? '' : 'You will be signed out on all your devices.'}
      headingRef={heading}
    >
      {isDone ? <Updated /> : <ResetPasswordForm token={token} onDone={() => setDone(true)} />}
    </PublicPage>
  )
}

const Updated = () => (
  <div className={styles.form}>
    <output className={styles.done}>{UPDATED_TEXT}</output>
    <p className={styles.links}>
      <a href="/login">Back to Login</a>
    </p>
  </div>
)
