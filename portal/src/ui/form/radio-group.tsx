import { type ReactNode, useId } from 'react'
import hidden from '../visually-hidden.module.css'
import styles from './choice.module.css'

interface RadioOption {
  readonly id: string
  readonly label: ReactNode
}

export interface RadioGroupProps {
  readonly label: string
  /** Says the label to screen readers alone, where a heading shows it. */
  readonly isLabelHidden?: boolean
  readonly options: readonly RadioOption[]
  /** The id of the selected option; null without one. */
  readonly value: string | null
  readonly onChange: (id: string) => void
  readonly disabled?: boolean
}

/** A list of radio buttons, one a line. */
export const RadioGroup = ({ label, isLabelHidden = false, options, value, onChange, disabled = false }: RadioGroupProps) => {
  const name = useId()
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend className={isLabelHidden ? hidden.hidden : styles.legend}>{label}</legend>
      {options.map(({ id, label }) => (
        <label key={id} className={`${styles.choice} ${styles.card}`}>
          <input type="radio" className={styles.box} name={name} value={id} checked={value === id} onChange={() => onChange(id)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
