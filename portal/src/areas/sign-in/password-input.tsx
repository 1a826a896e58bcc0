import { useState } from 'react'
import { Field } from './field.tsx'
import styles from './sign-in.module.css'

/** The password field with its Show/Hide toggle. */
export const PasswordInput = ({ error }: { readonly error: string | undefined }) => {
  const [shown, setShown] = useState(false)
  const toggle = (
    <button type="button" className={styles.toggle} title={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)}>
      {shown ? 'Hide' : 'Show'}
    </button>
  )
  return (
    <Field
      label="Password"
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={4096}
      error={error}
      end={toggle}
    />
  )
}
