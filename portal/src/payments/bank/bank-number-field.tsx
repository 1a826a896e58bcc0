import { TextField } from '../../ui/form/text-field.tsx'
import { formatBsb, withoutSeparators } from './bank-numbers.ts'

/** The longest number of all, an IBAN. */
const MAX_CHARACTERS = 34
const BSB_DIGITS = 6

interface BankNumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Shown in two groups, as an Australian bank's number is printed. */
  readonly isBsb?: boolean
  readonly disabled: boolean
}

/** The number of a bank or an account. It may be typed or pasted as it is printed: its blanks and dashes are left out. What is too long stays to be seen and mended. */
export const BankNumberField = ({ label, value, onChange, isBsb = false, disabled }: BankNumberFieldProps) => {
  const change = (typed: string): void => {
    const number = withoutSeparators(typed).slice(0, MAX_CHARACTERS)
    onChange(isBsb && number.length <= BSB_DIGITS ? formatBsb(number) : number)
  }
  return <TextField label={label} value={value} onChange={change} inputMode="numeric" autoComplete="off" required disabled={disabled} />
}
