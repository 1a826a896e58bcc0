import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './sign-in.module.css'

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string
  /** What is wrong with the value; stands under the field and is read with it. */
  readonly error?: string | undefined
  /** A control inside the field, at its end. */
  readonly end?: ReactNode
}

/** A labelled native input with its error beside it. */
export const Field = ({ label, error, end, ...input }: FieldProps) => {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.frame}>
        <input {...input} id={id} aria-invalid={error !== undefined} aria-describedby={error === undefined ? undefined : errorId} />
        {end}
      </span>
      {error !== undefined && (
        <span id={errorId} className={styles.fieldError}>
          {error}
        </span>
      )}
    </div>
  )
}
