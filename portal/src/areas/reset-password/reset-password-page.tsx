import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import styles from '../../public/public.module.css'
import { useLinkOwner } from '../../public/use-link-owner.ts'
import { ResetPasswordForm } from './reset-password-form.tsx'

const UPDATED_TEXT =
  'Your password has been reset successfully! Your new password has been sent to your primary email address. Click Back to Login to return to the login page.'

/** `/reset-password/{token}`: sets a new password with a mailed link (RST-01). */
export const ResetPasswordPage = ({ token }: { readonly token: string }) => {
  const [isDone, setDone] = useState(false)
  const { owner, fetchBrand } = useLinkOwner(token, 'reset')
  const heading = useRef<HTMLHeadingElement>(null)

  // The submit button, which had the focus, is no longer there.
  useEffect(() => {
    if (isDone) heading.current?.focus()
  }, [isDone])

  return (
    <PublicPage
      title={isDone ? 'Password updated' : 'Choose a new password'}
      intro={isDone ? '' : introOf(owner)}
      headingRef={heading}
      fetchBrand={fetchBrand}
    >
      {isDone ? <Updated /> : <ResetPasswordForm token={token} onDone={() => setDone(true)} />}
    </PublicPage>
  )
}

/** The sentence above the form: whose password it is, where that is known, and that all devices will be signed out. */
const introOf = (owner: ReturnType<typeof useLinkOwner>['owner']): string =>
  `${owner === null ? '' : `For ${owner.username} at ${owner.resellerName}. `}You will be signed out on all your devices.`

/** Says that the password was reset, with the way to the sign-in page. */
const Updated = () => (
  <div className={styles.form}>
    <output className={styles.done}>{UPDATED_TEXT}</output>
    <p className={styles.links}>
      <a href="/login">Back to Login</a>
    </p>
  </div>
)
