import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './expiry-fields.module.css'

interface ExpiryFieldsProps {
  readonly month: string
  readonly year: string
  readonly onMonth: (month: string) => void
  readonly onYear: (year: string) => void
  /** The error of the date; undefined when it is valid. */
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** Two fields for month and year of a card's expiry, with their error. */
export const ExpiryFields = ({ month, year, onMonth, onYear, problem, disabled }: ExpiryFieldsProps) => (
  <div>
    <div className={styles.expiry}>
      <TextField
        label="Expiry month"
        value={month}
        onChange={onMonth}
        inputMode="numeric"
        autoComplete="cc-exp-month"
        maxLength={2}
        disabled={disabled}
      />
      <TextField
        label="Expiry year"
        value={year}
        onChange={onYear}
        inputMode="numeric"
        autoComplete="cc-exp-year"
        maxLength={4}
        disabled={disabled}
      />
    </div>
    <ErrorText>{problem}</ErrorText>
  </div>
)
