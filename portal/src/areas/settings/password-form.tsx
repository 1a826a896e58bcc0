import { METER_MIN_LENGTH, PASSWORD_MIN_LENGTH, PASSWORD_MIN_SCORE } from '@counterfoil/contract/kit/password'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Button } from '../../ui/button/button.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { PasswordStrength } from '../../ui/form/password-strength.tsx'
import { changePasswordMutation } from './password.data.ts'
import { type PasswordErrors, passwordErrors } from './password-errors.ts'
import styles from './settings.module.css'

const MISMATCH_TEXT = "Password confirmation doesn't match"
const UPDATED_TEXT = 'Your password was successfully updated'

const EMPTY_VALUES = { current: '', next: '', confirmation: '' }

/**
 * The form that changes the signed-in user's password: current, new and repeated. The values stay until the server accepts them (PWD-01).
 */
export const PasswordForm = () => {
  const [values, setValues] = useState(EMPTY_VALUES)
  const change = useMutation(changePasswordMutation())
  const errors = passwordErrors(change.error)
  const isMismatch = values.confirmation !== '' && values.confirmation !== values.next
  const canSend = values.current !== '' && values.next.length >= PASSWORD_MIN_LENGTH && values.confirmation === values.next

  const update = (changes: Partial<typeof EMPTY_VALUES>): void => {
    setValues({ ...values, ...changes })
    if (!change.isPending) change.reset()
  }

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!canSend || change.isPending) return
    const form = event.currentTarget
    change.mutate(
      { oldPassword: values.current, newPassword: values.next },
      { onSuccess: () => setValues(EMPTY_VALUES), onError: (error) => focusOn(form, passwordErrors(error)) },
    )
  }

  return (
    <form className={styles.form} onSubmit={send}>
      {change.isSuccess && <UpdatedBanner onClose={change.reset} />}
      <PasswordField
        label="Current Password"
        name="current-password"
        autoComplete="current-password"
        value={values.current}
        onChange={(current) => update({ current })}
        error={errors.oldPassword}
      />
      <PasswordField
        label="New Password"
        name="new-password"
        autoComplete="new-password"
        value={values.next}
        onChange={(next) => update({ next })}
        error={errors.newPassword}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters. Changing it signs you out on your other devices.`}
      >
        <PasswordStrength password={values.next} minLength={METER_MIN_LENGTH} minScore={PASSWORD_MIN_SCORE} />
      </PasswordField>
      <PasswordField
        label="Confirm New Password"
        name="confirm-password"
        autoComplete="new-password"
        value={values.confirmation}
        onChange={(confirmation) => update({ confirmation })}
        error={isMismatch ? MISMATCH_TEXT : undefined}
      />
      {errors.form !== undefined && <Banner tone="bad">{errors.form}</Banner>}
      <div>
        <Button type="submit" disabled={!canSend} busy={change.isPending} busyText="Changing…">
          Change Password
        </Button>
      </div>
    </form>
  )
}

/** Focuses the field whose error is given, so that screen readers announce it; none for an error of the form. */
const focusOn = (form: HTMLFormElement, { oldPassword, newPassword }: PasswordErrors): void => {
  const name = oldPassword !== undefined ? 'current-password' : newPassword !== undefined ? 'new-password' : undefined
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}

/** Says that the password was changed. Takes the focus, because the submit button is disabled now. */
const UpdatedBanner = ({ onClose }: { onClose: () => void }) => {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => container.current?.focus(), [])
  return (
    <div ref={container} className={styles.updated} tabIndex={-1}>
      <Banner tone="good" onClose={onClose}>
        {UPDATED_TEXT}
      </Banner>
    </div>
  )
}
