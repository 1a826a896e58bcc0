import type { HTMLInputAutoCompleteAttribute } from 'react'
import { FieldError, Input, Label, TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './field.module.css'

export interface TextFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'search'
  /** Stands under the field; the field is marked as wrong while there is one. */
  error?: string | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute
  required?: boolean
  name?: string
}

/** A labelled line of text, with its mistake named right under it. */
export const TextField = ({ label, value, onChange, type = 'text', error, autoComplete, required = false, name }: TextFieldProps) => (
  <AriaTextField
    className={styles.field!}
    value={value}
    onChange={onChange}
    type={type}
    isRequired={required}
    isInvalid={error !== undefined}
    validationBehavior="aria"
    {...(autoComplete !== undefined && { autoComplete })}
    {...(name !== undefined && { name })}
  >
    <Label className={styles.label!}>{label}</Label>
    <Input className={styles.input!} />
    <FieldError className={styles.error!}>{error}</FieldError>
  </AriaTextField>
)
