import type { HTMLInputAutoCompleteAttribute } from 'react'
import { FieldError, Input, Label, TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './field.module.css'

export interface TextFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'search'
  /** Letters that fit; a browser takes no more. */
  maxLength?: number
  inputMode?: 'text' | 'numeric' | 'email'
  disabled?: boolean
  /** Stands under the field; the field is marked as wrong while there is one. */
  error?: string | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute
  required?: boolean
  name?: string
}

/** A labelled line of text, with its mistake named right under it. */
export const TextField = ({ label, error, type = 'text', required = false, disabled = false, ...given }: TextFieldProps) => (
  <AriaTextField
    className={styles.field!}
    {...given}
    type={type}
    isRequired={required}
    isDisabled={disabled}
    isInvalid={error !== undefined}
    validationBehavior="aria"
  >
    <Label className={styles.label!}>{label}</Label>
    <Input className={styles.input!} />
    <FieldError className={styles.error!}>{error}</FieldError>
  </AriaTextField>
)
