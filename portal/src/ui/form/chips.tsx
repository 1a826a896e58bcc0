import { useId } from 'react'
import styles from './chips.module.css'

export interface ChipsProps {
  readonly label: string
  readonly options: readonly { readonly id: string; readonly label: string; readonly count?: string }[]
  readonly value: string
  readonly onChange: (id: string) => void
}

/** A choice of one among a few, side by side, such as a filter by status with the number of rows of each. */
export const Chips = ({ label, options, value, onChange }: ChipsProps) => {
  const name = useId()
  return (
    <fieldset className={styles.chips}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.row}>
        {options.map((option) => (
          <label key={option.id} className={styles.chip}>
            <input
              type="radio"
              className={styles.radio}
              name={name}
              value={option.id}
              checked={option.id === value}
              onChange={() => onChange(option.id)}
            />
            {option.label}
            {option.count !== undefined && <span className={styles.count}> {option.count}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
