import { type ReactNode, useState } from 'react'
import { FieldError, Input, Label, Text, TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './field.module.css'

export interface PasswordFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  name: string
  error?: string | undefined
  /** What a good one needs, said before anything is wrong. */
  hint?: string
  /** Stands under the field, as a strength meter does. */
  children?: ReactNode
}

/** A password with a Show/Hide toggle at its end. */
export const PasswordField = ({ label, value, onChange, autoComplete, name, error, hint, children }: PasswordFieldProps) => {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <AriaTextField
      className={styles.field!}
      value={value}
      onChange={onChange}
      type={isVisible ? 'text' : 'password'}
      autoComplete={autoComplete}
      name={name}
      isRequired
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className={styles.label!}>{label}</Label>
      <div className={styles.row}>
        <Input className={`${styles.input} ${styles.roomy}`} spellCheck="false" autoCapitalize="none" />
        <button
          type="button"
          className={styles.toggle}
          aria-label={`${isVisible ? 'Hide' : 'Show'} ${label}`}
          onClick={() => setIsVisible(!isVisible)}
        >
          {isVisible ? 'Hide' : 'Show'}
        </button>
      </div>
      {hint !== undefined && (
        <Text slot="description" className={styles.hint!}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error!}>{error}</FieldError>
      {children}
    </AriaTextField>
  )
}
