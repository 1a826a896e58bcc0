import { type ReactNode, useId, useState } from 'react'
import { type FieldState, toFieldState } from './field-state.ts'
import styles from './fields.module.css'

export interface FieldProps {
  readonly disabled: boolean
  readonly onChange: (state: FieldState) => void
  /** The user begins to type: the form then clears the error of the last attempt. */
  readonly onFocus: () => void
}

interface ElementHandlers {
  readonly onChange: (event: { complete: boolean; error?: { message?: string } | undefined }) => void
  readonly onReady: () => void
}

interface ElementFieldProps {
  readonly label: string
  readonly onChange: (state: FieldState) => void
  readonly children: (id: string, handlers: ElementHandlers) => ReactNode
}

/** A label, Stripe's frame, and its error. Until the frame stands, its place says that it loads. */
export const ElementField = ({ label, onChange, children }: ElementFieldProps) => {
  const id = useId()
  const [error, setError] = useState<string>()
  const [isReady, setReady] = useState(false)
  const handlers: ElementHandlers = {
    onChange: (event) => {
      const state = toFieldState(event)
      setError(state.error)
      onChange(state)
    },
    onReady: () => setReady(true),
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-wrong={error === undefined ? undefined : true} data-loading={isReady ? undefined : true}>
        {children(id, handlers)}
      </div>
      <span className={styles.error} aria-live="polite">
        {error}
      </span>
    </div>
  )
}
