import { TextField } from '../../ui/form/text-field.tsx'
import { formatBsb, withoutSeparators } from './bank-numbers.ts'

interface BankNumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The most digits that the number has. */
  readonly digits: number
  /** Shown in two groups, as an Australian bank's number is printed. */
  readonly isBsb?: boolean
  readonly disabled: boolean
}

/** The number of a bank or an account. It may be typed or pasted as it is printed: its blanks and dashes are left out before it is cut. */
export const BankNumberField = ({ label, value, onChange, digits, isBsb = false, disabled }: BankNumberFieldProps) => {
  const change = (typed: string): void => {
    const number = withoutSeparators(typed).slice(0, digits)
    onChange(isBsb ? formatBsb(number) : number)
  }
  return <TextField label={label} value={value} onChange={change} inputMode="numeric" autoComplete="off" required disabled={disabled} />
}
