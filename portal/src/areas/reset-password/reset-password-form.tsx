import { PASSWORD_MIN_LENGTH } from '@counterfoil/contract/kit/password'
import { type FormEvent, useState } from 'react'
import { DoorButton } from '../../public/button.tsx'
import { DoorError } from '../../public/error-text.tsx'
import { DoorPassword } from '../../public/password-field.tsx'
import styles from '../../public/public.module.css'
import { type LinkRefusal, linkRefusal } from '../../public/link-error.ts'
import { resetPassword } from './reset-password.data.ts'

interface ResetFormProps {
  readonly token: string
  readonly onDone: () => void
}

const OVER = 'Your change password session has expired. Please try again.'

/** The new password. What was typed stays until the server has taken it (payments.md §2 and §5, Reset password). */
export const ResetForm = ({ token, onDone }: ResetFormProps) => {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<LinkRefusal>({})

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy || typed.length < PASSWORD_MIN_LENGTH) return
    const field = event.currentTarget.querySelector('input')
    setRefusal({})
    setBusy(true)
    try {
      await resetPassword(token, typed)
      onDone()
    } catch (failure) {
      const refusal = linkRefusal(failure, OVER)
      setRefusal(refusal)
      setBusy(false)
      if (refusal.field !== undefined) field?.focus()
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <DoorPassword
        label="New Password"
        name="new-password"
        autoComplete="new-password"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters, and hard to guess: three words that have nothing to do with each other will do.`}
        error={refusal.field}
      />
      <DoorError text={refusal.form ?? null} />
      <DoorButton label="Update Password" busyLabel="Updating…" busy={busy} disabled={typed.length < PASSWORD_MIN_LENGTH} />
      <p className={styles.links}>
        <a href="/login">Back to Login</a>
        {refusal.isOver && <a href="/login#forgot-password">Request a new password</a>}
      </p>
    </form>
  )
}
