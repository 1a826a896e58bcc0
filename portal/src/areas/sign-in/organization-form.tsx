import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from '../../public/public.module.css'
import type { SignInQuery } from './sign-in-query.ts'
import { singleSignOnPath } from './sign-in-query.ts'

/** The form that leaves for the single sign-on of the organization whose name is typed (AUTH-09). */
export const OrganizationForm = ({
  organization,
  error,
  advice,
  target,
}: Pick<SignInQuery, 'organization' | 'error' | 'advice' | 'target'>) => {
  const [busy, setBusy] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (busy) return
    const organizationName = String(new FormData(event.currentTarget).get('company') ?? '').trim()
    setIsMissing(organizationName === '')
    if (organizationName === '') return field.current?.focus()
    setBusy(true)
    location.assign(singleSignOnPath(organizationName, target))
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        size="large"
        ref={field}
        label="Company Name"
        name="company"
        autoComplete="organization"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        defaultValue={organization ?? ''}
        error={isMissing ? "Enter your company's name." : undefined}
      />
      <ErrorText kind="box">{busy || isMissing ? null : error}</ErrorText>
      {advice !== null && !busy && !isMissing && <p className={styles.hint}>{advice}</p>}
      <Button type="submit" size="large" busyText="Opening your company's sign-in…" busy={busy}>
        Continue
      </Button>
      <p className={styles.links}>
        <a href="#log-in">Back to sign in</a>
      </p>
    </form>
  )
}
