import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './public.module.css'

interface DoorFieldProps extends ComponentProps<'input'> {
  readonly label: string
  /** What a good value is, said before anything is wrong. */
  readonly hint?: string
  /** What is wrong with the value; stands under the field and is read with it. */
  readonly error?: string | undefined
  /** A control inside the field, at its end. */
  readonly end?: ReactNode
}

/** A labelled native input with its error beside it, for the pages before the portal: they load nothing but React. */
export const DoorField = ({ label, hint, error, end, ...input }: DoorFieldProps) => {
  const id = useId()
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [hint === undefined ? [] : hintId, error === undefined ? [] : errorId].flat()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.frame}>
        <input {...input} id={id} aria-invalid={error !== undefined} aria-describedby={described.join(' ') || undefined} />
        {end}
      </span>
      {hint !== undefined && (
        <span id={hintId} className={styles.hint}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={errorId} className={styles.fieldError}>
          {error}
        </span>
      )}
    </div>
  )
}
