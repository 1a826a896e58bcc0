import { type FormEvent, useState } from 'react'
import { messageOf } from '../../shell/api.ts'
import { Field } from './field.tsx'
import { FormError } from './form-error.tsx'
import { requestReset } from './sign-in.data.ts'
import styles from './sign-in.module.css'
import { SubmitButton } from './submit-button.tsx'

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Mode 2: asks for a mail that sets a new password (portal.md §2, Login). */
export const ForgotForm = ({ onSent }: { readonly onSent: () => void }) => {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<{ readonly email?: string; readonly form?: string }>({})

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (!EMAIL.test(email.trim())) return setWrong({ email: 'Enter an email address, as in name@example.com.' })

    setWrong({})
    setBusy(true)
    try {
      await requestReset(email.trim())
      onSent()
    } catch (failure) {
      setWrong({ form: messageOf(failure) })
      setBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={wrong.email}
      />
      <FormError text={wrong.form ?? null} />
      <SubmitButton label="Request a new password" busyLabel="Sending…" busy={busy} disabled={email.trim() === ''} />
      <p className={styles.links}>
        <a href="#log-in">Back to Log In</a>
      </p>
    </form>
  )
}
