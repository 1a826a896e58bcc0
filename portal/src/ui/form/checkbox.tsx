import type { ReactNode } from 'react'
import styles from './choice.module.css'

export interface CheckboxProps {
  readonly children: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly required?: boolean
  readonly disabled?: boolean
}

/** A checkbox with its label. */
export const Checkbox = ({ children, checked, onChange, required = false, disabled = false }: CheckboxProps) => (
  <label className={styles.choice}>
    <input
      type="checkbox"
      className={styles.box}
      checked={checked}
      required={required}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{children}</span>
  </label>
)
