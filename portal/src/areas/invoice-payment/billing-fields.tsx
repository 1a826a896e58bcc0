import { AddressFields, type AddressLine } from '../../payments/methods/address-fields.tsx'
import type { PayFormValues } from './pay-form-values.ts'

interface BillingFieldsProps {
  readonly values: PayFormValues
  readonly onChange: (changes: Partial<PayFormValues>) => void
}

const LINES: readonly AddressLine<'address' | 'city' | 'state' | 'zip' | 'company'>[] = [
  { key: 'address', autoComplete: 'address-line1' },
  { key: 'city', autoComplete: 'address-level2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'zip', autoComplete: 'postal-code' },
  { key: 'company', autoComplete: 'organization' },
]

/** The fields of the billing address; all but the company are required. */
export const BillingFields = ({ values, onChange }: BillingFieldsProps) => (
  <AddressFields
    lines={LINES}
    values={values}
    onChange={onChange}
    required={['country', 'address', 'city', 'state', 'zip']}
    disabled={false}
  />
)
