import { useState } from 'react'
import { isEmail } from '../../ui/form/is-email.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { CARD_LABELS } from '../card/card-labels.ts'

interface ReceiptEmailProps {
  readonly value: string
  readonly onChange: (email: string) => void
  /** The label where the address is not for a receipt. */
  readonly label?: string
  readonly required?: boolean
  readonly disabled?: boolean
}

/** The field of the address to which the receipt goes. It says what is wrong with an address once it has been left. */
export const ReceiptEmail = ({ value, onChange, label = CARD_LABELS.receipt, required = false, disabled = false }: ReceiptEmailProps) => {
  const [wasLeft, setLeft] = useState(false)
  const isWrong = wasLeft && !isEmail(value) && (required || value.trim() !== '')
  return (
    <TextField
      label={required ? label : `${label} (optional)`}
      name="email"
      type="email"
      autoComplete="email"
      maxLength={254}
      required={required}
      value={value}
      onChange={onChange}
      onBlur={() => setLeft(true)}
      error={isWrong ? `Enter an email address, as in name@example.com${required ? '' : ', or leave it empty'}.` : undefined}
      disabled={disabled}
    />
  )
}

/** True for an address, and for none. */
export const isEmailOrEmpty = (email: string): boolean => email.trim() === '' || isEmail(email)
