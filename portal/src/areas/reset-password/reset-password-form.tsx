import { PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import styles from '../../public/public.module.css'
import { type LinkError, toLinkError } from '../../public/link-error.ts'
import { resetPassword } from './reset-password.data.ts'

interface ResetPasswordFormProps {
  readonly token: string
  readonly onDone: () => void
}

const EXPIRED_TEXT = 'Your change password session has expired. Please try again.'

/** The form that sets a new password by a mailed link's token. The value stays until the server accepts it (RST-01). */
export const ResetPasswordForm = ({ token, onDone }: ResetPasswordFormProps) => {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<LinkError>({})

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy || password.length < PASSWORD_MIN_LENGTH) return
    const field = event.currentTarget.querySelector('input')
    setErrors({})
    setBusy(true)
    try {
      await resetPassword(token, password)
      onDone()
    } catch (failure) {
      const errors = toLinkError(failure, EXPIRED_TEXT)
      setErrors(errors)
      setBusy(false)
      if (errors.field !== undefined) field?.focus()
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordField
        size="large"
        label="New Password"
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters, and hard to guess: for example three unrelated words.`}
        error={errors.field}
      />
      <ErrorText kind="box">{errors.form}</ErrorText>
      <Button type="submit" size="large" busyText="Updating…" busy={busy} disabled={password.length < PASSWORD_MIN_LENGTH}>
        Update Password
      </Button>
      <p className={styles.links}>
        <a href="/login">Back to Login</a>
        {errors.isExpired && <a href="/login#forgot-password">Request a new password</a>}
      </p>
    </form>
  )
}
