import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import styles from '../../public/public.module.css'
import { useLinkOwner } from '../../public/use-link-owner.ts'
import { RegistrationForm } from './registration-form.tsx'

const COMPLETE_TEXT = 'Registration complete! Click "Back to Login" to return to the login page.'

/** `/finish-registration/{token}`: sets the first password of an invited user (REG-01). */
export const RegistrationPage = ({ token }: { readonly token: string }) => {
  const [isDone, setDone] = useState(false)
  const { owner, fetchBrand } = useLinkOwner(token, 'registration')
  const heading = useRef<HTMLHeadingElement>(null)

  // The submit button, which had the focus, is no longer there.
  useEffect(() => {
    if (isDone) heading.current?.focus()
  }, [isDone])

  return (
    <PublicPage title="User Registration" intro={isDone ? '' : introOf(owner)} headingRef={heading} fetchBrand={fetchBrand}>
      {isDone ? <Complete /> : <RegistrationForm token={token} onDone={() => setDone(true)} />}
    </PublicPage>
  )
}

/** The sentence above the form, which names the link's user and reseller where they are known. */
const introOf = (owner: ReturnType<typeof useLinkOwner>['owner']): string =>
  owner === null
    ? 'Choose the password you will sign in with.'
    : `Choose the password with which ${owner.username} signs in at ${owner.resellerName}.`

/** Says that the registration is complete, with the way to the sign-in page. */
const Complete = () => (
  <div className={styles.form}>
    <output className={styles.done}>{COMPLETE_TEXT}</output>
    <p className={styles.links}>
      <a href="/login">Back to Login</a>
    </p>
  </div>
)
