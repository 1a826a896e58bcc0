import { TextField } from '../../../ui/form/text-field.tsx'
import { AddressFields, type AddressLine } from '../../address-fields.tsx'
import type { Payer } from './payer.ts'

interface PayerFieldsProps {
  readonly payer: Payer
  readonly onChange: (payer: Payer) => void
  readonly disabled: boolean
}

const NAMES = [
  { name: 'payerFirstName', label: 'Payer first name', autoComplete: 'given-name', maxLength: 100, required: true },
  { name: 'payerLastName', label: 'Payer last name', autoComplete: 'family-name', maxLength: 100, required: true },
] as const
const ADDRESS_LINES: readonly AddressLine<'billingAddress' | 'billingAddress2' | 'state' | 'zip'>[] = [
  { key: 'billingAddress', autoComplete: 'address-line1' },
  { key: 'billingAddress2', autoComplete: 'address-line2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'zip', autoComplete: 'postal-code' },
]
const CONTACT = [
  { name: 'billingPhone', label: 'Phone', autoComplete: 'billing tel', maxLength: 40, required: false },
  { name: 'shippingAddress', label: 'Shipping address', autoComplete: 'shipping street-address', maxLength: 200, required: true },
  { name: 'shippingPhone', label: 'Shipping phone', autoComplete: 'shipping tel', maxLength: 40, required: false },
  { name: 'email', label: 'Email', autoComplete: 'email', maxLength: 254, required: false },
] as const

/** Who pays with a card, and where the bill and the goods go. */
export const PayerFields = ({ payer, onChange, disabled }: PayerFieldsProps) => {
  const toField = ({ name, ...field }: (typeof NAMES | typeof CONTACT)[number]) => (
    <TextField key={name} {...field} value={payer[name]} onChange={(text) => onChange({ ...payer, [name]: text })} disabled={disabled} />
  )
  return (
    <>
      {NAMES.map(toField)}
      <AddressFields lines={ADDRESS_LINES} values={payer} onChange={onChange} required={[]} disabled={disabled} />
      {CONTACT.map(toField)}
    </>
  )
}
