import { type FormEvent, useState } from 'react'
import { AskFailed, messageOf, signIn } from '../../api/call-api.ts'
import { DoorButton } from '../../public/button.tsx'
import { DoorError } from '../../public/error-text.tsx'
import { DoorField } from '../../public/text-field.tsx'
import { DoorPassword } from '../../public/password-field.tsx'
import styles from '../../public/public.module.css'
import { OPEN_MODES } from './sign-in-mode.ts'
import { singleSignOnAddress } from './sign-in-query.ts'

interface Wrong {
  readonly username?: string
  readonly password?: string
  readonly form?: string
}

interface LogInFormProps {
  /** Where to go with the session. */
  readonly target: string
  /** Why a sign-in elsewhere failed. */
  readonly told: string | null
}

/** Mode 1: user name and password (portal.md §2, Login). Opens `target` when the session is there. */
export const LogInForm = ({ target, told }: LogInFormProps) => {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>(told === null ? {} : { form: told })

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const { username, password } = typed(form)
    const missing = missingIn(username, password)
    setWrong(missing)
    if (missing.username ?? missing.password) return focusOn(form, missing.username ? 'username' : 'password')

    setBusy(true)
    try {
      await signIn(username, password)
      form.reset()
      location.replace(target)
    } catch (failure) {
      const company = companyOf(failure)
      if (company !== null) return location.assign(singleSignOnAddress(company, target))
      setWrong({ form: failureText(failure) })
      setBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <DoorField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={254}
        error={wrong.username}
      />
      <DoorPassword label="Password" name="password" autoComplete="current-password" error={wrong.password} />
      <DoorError text={wrong.form ?? null} />
      <DoorButton label="Sign In" busyLabel="Signing in…" busy={busy} />
      <p className={styles.links}>
        {OPEN_MODES.includes('company-name') && <a href="#company-name">I know my company name!</a>}
        {OPEN_MODES.includes('forgot-password') && <a href="#forgot-password">Forgot your password?</a>}
      </p>
    </form>
  )
}

const typed = (form: HTMLFormElement): { username: string; password: string } => {
  const fields = new FormData(form)
  return { username: String(fields.get('username') ?? '').trim(), password: String(fields.get('password') ?? '') }
}

const missingIn = (username: string, password: string): Wrong => ({
  ...(username === '' && { username: 'Enter your username.' }),
  ...(password === '' && { password: 'Enter your password.' }),
})

const focusOn = (form: HTMLFormElement, name: string): void => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()

/** The company that signs this user in, as the server told with its refusal (portal.md §4, Single sign-on). */
const companyOf = (failure: unknown): string | null =>
  OPEN_MODES.includes('company-name') && failure instanceof AskFailed && failure.status === 400 ? failure.headers.get('x-brand-name') : null

/** portal.md §8: the server's words, else the fixed ones. Without any answer, the truth about that. */
const failureText = (failure: unknown): string => {
  const answered = failure instanceof AskFailed && failure.status > 0
  return answered ? (failure.userMessage ?? 'Invalid username or password') : messageOf(failure)
}
