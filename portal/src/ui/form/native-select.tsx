import { useId } from 'react'
import styles from './field.module.css'
import { Icon } from '../icon.tsx'
import type { Option } from './select.tsx'

export interface NativeSelectProps {
  readonly label: string
  readonly options: readonly Option[]
  /** Empty while nothing is selected. */
  readonly value: string
  readonly onChange: (id: string) => void
  readonly required?: boolean
  readonly error?: string | undefined
  readonly autoComplete?: string
  readonly disabled?: boolean
}

/** A native `<select>`, for long lists that everybody knows, such as countries. */
export const NativeSelect = (props: NativeSelectProps) => {
  const { label, options, value, onChange, required = false, error, autoComplete, disabled = false } = props
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <select
          id={id}
          className={`${styles.input} ${styles.native}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          required={required}
          disabled={disabled}
          autoComplete={autoComplete}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        >
          <option value="">Choose…</option>
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </div>
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  )
}
