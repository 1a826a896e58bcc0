import { PASSWORDS_DIFFER_TEXT, registrationPasswordProblem } from '@counterfoil/contract/kit/password'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import styles from '../../public/public.module.css'
import { type LinkError, toLinkError } from '../../public/link-error.ts'
import { finishRegistration } from './registration.data.ts'

interface RegistrationFormProps {
  readonly token: string
  readonly onDone: () => void
}

const EXPIRED_TEXT = 'Your registration session has expired. Please try again.'
const EMPTY_VALUES = { password: '', confirmation: '' }

/** The error of the first broken rule, under the field that it stands beside. An empty field has no error (REG-01). */
const fieldErrorsOf = ({ password, confirmation }: typeof EMPTY_VALUES): { password?: string; confirmation?: string } => {
  const passwordError = registrationPasswordProblem(password)
  if (passwordError !== null) return password === '' ? {} : { password: passwordError }
  return confirmation === '' || confirmation === password ? {} : { confirmation: PASSWORDS_DIFFER_TEXT }
}

/** The form that sets the first password: password and confirmation. The values stay until the server accepts them. */
export const RegistrationForm = ({ token, onDone }: RegistrationFormProps) => {
  const [values, setValues] = useState(EMPTY_VALUES)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<LinkError>({})
  const fieldErrors = fieldErrorsOf(values)
  const canSend = registrationPasswordProblem(values.password) === null && values.confirmation === values.password

  const update = (changes: Partial<typeof EMPTY_VALUES>): void => {
    setValues({ ...values, ...changes })
    if (!busy) setErrors({})
  }

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy || !canSend) return
    const field = event.currentTarget.querySelector('input')
    setErrors({})
    setBusy(true)
    try {
      await finishRegistration(token, values.password)
      onDone()
    } catch (failure) {
      const nextErrors = toLinkError(failure, EXPIRED_TEXT)
      setErrors(nextErrors)
      setBusy(false)
      if (nextErrors.field !== undefined) field?.focus()
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordField
        size="large"
        label="Password"
        name="new-password"
        autoComplete="new-password"
        value={values.password}
        onChange={(password) => update({ password })}
        hint="At least 8 characters with mixed case, numbers and special characters."
        error={errors.field ?? fieldErrors.password}
      />
      <PasswordField
        size="large"
        label="Confirm Password"
        name="confirm-password"
        autoComplete="new-password"
        value={values.confirmation}
        onChange={(confirmation) => update({ confirmation })}
        error={fieldErrors.confirmation}
      />
      <ErrorText kind="box">{errors.form}</ErrorText>
      <Button type="submit" size="large" busyText="Finishing…" busy={busy} disabled={!canSend}>
        Finish Registration
      </Button>
      <p className={styles.links}>
        <a href="/login">Back to Login</a>
      </p>
    </form>
  )
}
