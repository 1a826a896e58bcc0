import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../api/call-api.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from '../../public/public.module.css'
import { requestPasswordReset } from './sign-in.data.ts'

const EMAIL = new RegExp(EMAIL_PATTERN)

/** The form that has an email with a reset link sent to the typed address (AUTH-06). */
export const ForgotPasswordForm = ({ onSent }: { readonly onSent: () => void }) => {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<{ readonly email?: string; readonly form?: string }>({})

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (!EMAIL.test(email.trim())) {
      setErrors({ email: 'Enter an email address, as in name@example.com.' })
      return field.current?.focus()
    }

    setErrors({})
    setBusy(true)
    try {
      await requestPasswordReset(email.trim())
      onSent()
    } catch (failure) {
      setErrors({ form: messageOf(failure) })
      setBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        size="large"
        ref={field}
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        onChange={setEmail}
        error={errors.email}
      />
      <ErrorText kind="box">{errors.form}</ErrorText>
      <Button type="submit" size="large" busyText="Sending…" busy={busy} disabled={email.trim() === ''}>
        Request a new password
      </Button>
      <p className={styles.links}>
        <a href="#log-in">Back to sign in</a>
      </p>
    </form>
  )
}
