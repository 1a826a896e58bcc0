import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'size' | 'children'> {
  readonly label: string
  /** Without a value the field is uncontrolled. */
  readonly value?: string
  readonly onChange?: (value: string) => void
  /** `large` on the pages before sign-in. */
  readonly size?: 'medium' | 'large'
  /** What a valid value is. */
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** A control inside the field, at its end. */
  readonly end?: ReactNode
  /** Content below the field. */
  readonly children?: ReactNode
}

/** A labelled native input with its hint and its error, of any `type`. */
export const TextField = (props: TextFieldProps) => {
  const { label, onChange, size = 'medium', hint, error, end, children, required = false, ...input } = props
  const id = useId()
  const describedBy = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])].join(' ')
  return (
    <div className={styles.field} data-size={size}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          {...input}
          id={id}
          className={styles.input}
          onChange={onChange && ((event) => onChange(event.target.value))}
          aria-required={required || undefined}
          aria-invalid={error !== undefined || input['aria-invalid'] || undefined}
          aria-describedby={describedBy === '' ? undefined : describedBy}
        />
        {end}
      </div>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
      {children}
    </div>
  )
}
