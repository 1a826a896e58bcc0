import { TextField } from '../../../ui/form/text-field.tsx'
import { AddressFields, type AddressLine } from '../../methods/address-fields.tsx'
import { ReceiptEmail } from '../../checkout/receipt-email.tsx'
import type { Payer } from './payer.ts'
import { PayerNames } from './payer-names.tsx'

interface PayerFieldsProps {
  readonly payer: Payer
  readonly onChange: (payer: Payer) => void
  readonly disabled: boolean
}

const ADDRESS_LINES: readonly AddressLine<'billingAddress' | 'billingAddress2' | 'state' | 'zip'>[] = [
  { key: 'billingAddress', autoComplete: 'address-line1' },
  { key: 'billingAddress2', autoComplete: 'address-line2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'zip', autoComplete: 'postal-code' },
]
const CONTACT = [
  { name: 'billingPhone', label: 'Phone (optional)', autoComplete: 'billing tel', maxLength: 40 },
  { name: 'shippingPhone', label: 'Shipping phone (optional)', autoComplete: 'shipping tel', maxLength: 40 },
] as const

/** The fields of who pays with a card: name, shipping address, billing address, phones and email. */
export const PayerFields = ({ payer, onChange, disabled }: PayerFieldsProps) => {
  const field = (name: 'shippingAddress' | (typeof CONTACT)[number]['name'] | 'email') => ({
    value: payer[name],
    onChange: (text: string) => onChange({ ...payer, [name]: text }),
    disabled,
  })
  return (
    <>
      <PayerNames payer={payer} onChange={(names) => onChange({ ...payer, ...names })} disabled={disabled} />
      <TextField label="Shipping address" {...field('shippingAddress')} autoComplete="shipping street-address" maxLength={200} required />
      <AddressFields lines={ADDRESS_LINES} values={payer} onChange={onChange} required={[]} disabled={disabled} />
      {CONTACT.map(({ name, ...more }) => (
        <TextField key={name} {...more} {...field(name)} />
      ))}
      <ReceiptEmail label="Email" {...field('email')} />
    </>
  )
}
