import { METER_MIN_LENGTH, PASSWORD_MIN_LENGTH, PASSWORD_MIN_SCORE } from '@counterfoil/contract/kit/password'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Button } from '../../ui/button/button.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { PasswordStrength } from '../../ui/form/password-strength.tsx'
import { changePassword } from './password.data.ts'
import { type PasswordRefusal, refusalOf } from './password-errors.ts'
import styles from './settings.module.css'

const MISMATCH = "Password confirmation doesn't match"
const UPDATED = 'Your password was successfully updated'

const EMPTY = { current: '', next: '', confirmation: '' }

/** Current, new and repeated password. What was typed stays until the server has taken it (portal.md §2, §5). */
export const PasswordForm = () => {
  const [typed, setTyped] = useState(EMPTY)
  const change = useMutation(changePassword())
  const refusal = refusalOf(change.error)
  const isMismatch = typed.confirmation !== '' && typed.confirmation !== typed.next
  const canSend = typed.current !== '' && typed.next.length >= PASSWORD_MIN_LENGTH && typed.confirmation === typed.next

  const type = (part: Partial<typeof EMPTY>): void => {
    setTyped({ ...typed, ...part })
    if (!change.isPending) change.reset()
  }

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!canSend || change.isPending) return
    const form = event.currentTarget
    change.mutate(
      { oldPassword: typed.current, newPassword: typed.next },
      { onSuccess: () => setTyped(EMPTY), onError: (error) => focusOn(form, refusalOf(error)) },
    )
  }

  return (
    <form className={styles.form} onSubmit={send}>
      {change.isSuccess && <Updated onClose={change.reset} />}
      <PasswordField
        label="Current Password"
        name="current-password"
        autoComplete="current-password"
        value={typed.current}
        onChange={(current) => type({ current })}
        error={refusal.oldPassword}
      />
      <PasswordField
        label="New Password"
        name="new-password"
        autoComplete="new-password"
        value={typed.next}
        onChange={(next) => type({ next })}
        error={refusal.newPassword}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters. Changing it ends your sessions elsewhere.`}
      >
        <PasswordStrength password={typed.next} minLength={METER_MIN_LENGTH} minScore={PASSWORD_MIN_SCORE} />
      </PasswordField>
      <PasswordField
        label="Confirm New Password"
        name="confirm-password"
        autoComplete="new-password"
        value={typed.confirmation}
        onChange={(confirmation) => type({ confirmation })}
        error={isMismatch ? MISMATCH : undefined}
      />
      {refusal.form !== undefined && <Banner tone="bad">{refusal.form}</Banner>}
      <div>
        <Button type="submit" disabled={!canSend} busy={change.isPending} busyText="Changing…">
          Change Password
        </Button>
      </div>
    </form>
  )
}

/** The field that is refused takes the focus: a screen reader reads what is wrong with it. */
const focusOn = (form: HTMLFormElement, { oldPassword, newPassword }: PasswordRefusal): void => {
  const name = oldPassword !== undefined ? 'current-password' : newPassword !== undefined ? 'new-password' : undefined
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}

/** Takes the focus, for the button that had it is closed now. */
const Updated = ({ onClose }: { onClose: () => void }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} className={styles.updated} tabIndex={-1}>
      <Banner tone="good" onClose={onClose}>
        {UPDATED}
      </Banner>
    </div>
  )
}
