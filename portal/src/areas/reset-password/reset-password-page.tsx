import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import styles from '../../public/public.module.css'
import { ResetPasswordForm } from './reset-password-form.tsx'

const UPDATED_TEXT =
  'Your password has been reset successfully! Your new password has been sent to your primary email address. Click Back to Login to return to the login page.'

/** Where the link of the mail leads: a new password for whoever has the link (payments.md §2, Reset password). */
export const ResetPasswordPage = ({ token }: { readonly token: string }) => {
  const [isDone, setDone] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  // The button that had the focus is gone now.
  useEffect(() => {
    if (isDone) heading.current?.focus()
  }, [isDone])

  return (
    <PublicPage
      title={isDone ? 'Password updated' : 'Choose a new password'}
      intro={isDone ? '' : 'Setting it signs you out everywhere.'}
      heading={heading}
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
