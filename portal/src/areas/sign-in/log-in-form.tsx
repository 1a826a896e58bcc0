import { type FormEvent, useState } from 'react'
import { ApiError, messageOf } from '../../api/call-api.ts'
import { signIn } from '../../api/sign-in.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import styles from '../../public/public.module.css'
import { singleSignOnPath } from './sign-in-query.ts'

interface FormErrors {
  readonly username?: string
  readonly password?: string
  readonly form?: string
  /** The server knows no such user with this password. */
  readonly isRejected?: boolean
}

interface LogInFormProps {
  /** The path to open after sign-in. */
  readonly target: string
  /** The error of a failed sign-in by code. */
  readonly initialError: string | null
}

/**
 * The form with username and password. Opens `target` after sign-in, or the organization's single sign-on where that is required (AUTH-01,
 * AUTH-02).
 */
export const LogInForm = ({ target, initialError }: LogInFormProps) => {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<FormErrors>(initialError === null ? {} : { form: initialError })

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const { username, password } = readCredentials(form)
    const missingErrors = missingFieldErrors(username, password)
    setErrors(missingErrors)
    if (missingErrors.username ?? missingErrors.password) return focusOn(form, missingErrors.username ? 'username' : 'password')

    setBusy(true)
    try {
      await signIn(username, password)
      form.reset()
      location.replace(target)
    } catch (failure) {
      const organization = singleSignOnOrganization(failure)
      if (organization !== null) return location.assign(singleSignOnPath(organization, target))
      setErrors({ form: errorText(failure), isRejected: failure instanceof ApiError && failure.status === 400 })
      setBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        size="large"
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={254}
        error={errors.username}
        aria-invalid={errors.isRejected}
      />
      <PasswordField
        size="large"
        label="Password"
        name="password"
        autoComplete="current-password"
        error={errors.password}
        aria-invalid={errors.isRejected}
      />
      <ErrorText kind="box">{errors.form}</ErrorText>
      <Button type="submit" size="large" busyText="Signing in…" busy={busy}>
        Sign In
      </Button>
      <p className={styles.links}>
        <a href="#company-name">I know my company name!</a>
        <a href="#forgot-password">Forgot your password?</a>
      </p>
    </form>
  )
}

/** What is typed into the form: the username trimmed, the password as it is. */
const readCredentials = (form: HTMLFormElement): { username: string; password: string } => {
  const fields = new FormData(form)
  return { username: String(fields.get('username') ?? '').trim(), password: String(fields.get('password') ?? '') }
}

/** An error for each of the two that is empty; nothing where both are filled in. */
const missingFieldErrors = (username: string, password: string): FormErrors => ({
  ...(username === '' && { username: 'Enter your username.' }),
  ...(password === '' && { password: 'Enter your password.' }),
})

/** Focuses the form's field of this name. */
const focusOn = (form: HTMLFormElement, name: string): void => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()

/** The organization to sign in with, which the server names in a header of its error response (SSO-02); null for any other failure. */
const singleSignOnOrganization = (failure: unknown): string | null =>
  failure instanceof ApiError && failure.status === 400 ? failure.headers.get('x-brand-name') : null

/** The server's message, else "Invalid username or password". Without a response, the network error (AUTH-03). */
const errorText = (failure: unknown): string => {
  const hasAnswer = failure instanceof ApiError && failure.status > 0
  return hasAnswer ? (failure.userMessage ?? 'Invalid username or password') : messageOf(failure)
}
