import { useMemo } from 'react'
import { pageLocale } from '../../../format/locale.ts'
import { countriesIn } from '../../../ui/form/countries.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import type { Payer } from './payer.ts'

interface PayerFieldsProps {
  readonly payer: Payer
  readonly onChange: (payer: Payer) => void
  readonly disabled: boolean
}

const FIELDS = [
  { name: 'payerFirstName', label: 'Payer first name', autoComplete: 'given-name', maxLength: 100, required: true },
  { name: 'payerLastName', label: 'Payer last name', autoComplete: 'family-name', maxLength: 100, required: true },
  { name: 'billingAddress', label: 'Billing address', autoComplete: 'billing address-line1', maxLength: 200, required: false },
  { name: 'billingAddress2', label: 'Billing address 2', autoComplete: 'billing address-line2', maxLength: 200, required: false },
  { name: 'billingPhone', label: 'Billing phone', autoComplete: 'billing tel', maxLength: 40, required: false },
  { name: 'shippingAddress', label: 'Shipping address', autoComplete: 'shipping street-address', maxLength: 200, required: true },
  { name: 'shippingPhone', label: 'Shipping phone', autoComplete: 'shipping tel', maxLength: 40, required: false },
  { name: 'state', label: 'State', autoComplete: 'billing address-level1', maxLength: 100, required: false },
  { name: 'zip', label: 'Zip', autoComplete: 'billing postal-code', maxLength: 20, required: false },
  { name: 'email', label: 'Email', autoComplete: 'email', maxLength: 254, required: false },
] as const

/** Who pays with a card, and where the bill and the goods go. */
export const PayerFields = ({ payer, onChange, disabled }: PayerFieldsProps) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  return (
    <>
      {FIELDS.map(({ name, ...field }) => (
        <TextField
          key={name}
          {...field}
          value={payer[name]}
          onChange={(text) => onChange({ ...payer, [name]: text })}
          disabled={disabled}
        />
      ))}
      <NativeSelect
        label="Country"
        options={countries}
        value={payer.country}
        onChange={(country) => onChange({ ...payer, country })}
        autoComplete="billing country"
        disabled={disabled}
      />
    </>
  )
}
