import { useMemo } from 'react'
import { TextField } from '../../ui/form/text-field.tsx'
import { pageLocale } from '../../format/locale.ts'
import { countriesIn } from '../../ui/form/countries.ts'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import styles from './pay-page.module.css'
import type { PayFormValues } from './pay-form-values.ts'

interface BillingFieldsProps {
  readonly values: PayFormValues
  readonly onChange: (changes: Partial<PayFormValues>) => void
}

const FIELDS = [
  { name: 'address', label: 'Address', autoComplete: 'billing address-line1', required: true },
  { name: 'city', label: 'City', autoComplete: 'billing address-level2', required: true },
  { name: 'state', label: 'State', autoComplete: 'billing address-level1', required: true },
  { name: 'zip', label: 'Zip', autoComplete: 'billing postal-code', required: true },
  { name: 'company', label: 'Company (optional)', autoComplete: 'billing organization', required: false },
] as const

/** The billing address, if the reseller requires it. */
export const BillingFields = ({ values, onChange }: BillingFieldsProps) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  return (
    <div className={styles.billing}>
      {FIELDS.map(({ name, label, autoComplete, required }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          autoComplete={autoComplete}
          required={required}
          maxLength={200}
          value={values[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <NativeSelect
        label="Country"
        options={countries}
        value={values.country}
        onChange={(country) => onChange({ country })}
        autoComplete="billing country"
        required
      />
    </div>
  )
}
