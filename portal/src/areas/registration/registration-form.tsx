import { PASSWORDS_DIFFER_TEXT, registrationPasswordProblem } from '@counterfoil/contract/kit/password'
import { type FormEvent, useState } from 'react'
import { DoorButton } from '../../public/button.tsx'
import { DoorError } from '../../public/error-text.tsx'
import { DoorPassword } from '../../public/password-field.tsx'
import styles from '../../public/public.module.css'
import { type LinkRefusal, linkRefusal } from '../../public/link-error.ts'
import { finishRegistration } from './registration.data.ts'

interface RegistrationFormProps {
  readonly token: string
  readonly onDone: () => void
}

const OVER = 'Your registration session has expired. Please try again.'
const EMPTY = { password: '', confirmation: '' }

/** The first rule that what was typed breaks, beside its field; a field that nobody has typed in yet breaks none (payments.md §5). */
const faultsOf = ({ password, confirmation }: typeof EMPTY): { password?: string; confirmation?: string } => {
  const fault = registrationPasswordProblem(password)
  if (fault !== null) return password === '' ? {} : { password: fault }
  return confirmation === '' || confirmation === password ? {} : { confirmation: PASSWORDS_DIFFER_TEXT }
}

/** Password and confirmation. What was typed stays until the server has taken it. */
export const RegistrationForm = ({ token, onDone }: RegistrationFormProps) => {
  const [typed, setTyped] = useState(EMPTY)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<LinkRefusal>({})
  const faults = faultsOf(typed)
  const canSend = registrationPasswordProblem(typed.password) === null && typed.confirmation === typed.password

  const type = (part: Partial<typeof EMPTY>): void => {
    setTyped({ ...typed, ...part })
    if (!busy) setRefusal({})
  }

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy || !canSend) return
    const field = event.currentTarget.querySelector('input')
    setRefusal({})
    setBusy(true)
    try {
      await finishRegistration(token, typed.password)
      onDone()
    } catch (failure) {
      const refused = linkRefusal(failure, OVER)
      setRefusal(refused)
      setBusy(false)
      if (refused.field !== undefined) field?.focus()
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <DoorPassword
        label="Password"
        name="new-password"
        autoComplete="new-password"
        value={typed.password}
        onChange={(event) => type({ password: event.target.value })}
        hint="At least 8 characters with mixed case, numbers and special characters."
        error={refusal.field ?? faults.password}
      />
      <DoorPassword
        label="Confirm Password"
        name="confirm-password"
        autoComplete="new-password"
        value={typed.confirmation}
        onChange={(event) => type({ confirmation: event.target.value })}
        error={faults.confirmation}
      />
      <DoorError text={refusal.form ?? null} />
      <DoorButton label="Finish Registration" busyLabel="Finishing…" busy={busy} disabled={!canSend} />
      <p className={styles.links}>
        <a href="/login">Back to Login</a>
      </p>
    </form>
  )
}
