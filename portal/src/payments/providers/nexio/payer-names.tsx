import { TextField } from '../../../ui/form/text-field.tsx'

const FIELDS = [
  { name: 'payerFirstName', label: 'Payer first name', autoComplete: 'given-name' },
  { name: 'payerLastName', label: 'Payer last name', autoComplete: 'family-name' },
] as const

interface Names {
  readonly payerFirstName: string
  readonly payerLastName: string
}

interface PayerNamesProps {
  readonly payer: Names
  readonly onChange: (changes: Partial<Names>) => void
  readonly disabled: boolean
}

/** The two fields of first and last name of who pays with a card. */
export const PayerNames = ({ payer, onChange, disabled }: PayerNamesProps) =>
  FIELDS.map(({ name, ...field }) => (
    <TextField
      key={name}
      {...field}
      value={payer[name]}
      onChange={(text) => onChange({ [name]: text })}
      maxLength={100}
      required
      disabled={disabled}
    />
  ))
