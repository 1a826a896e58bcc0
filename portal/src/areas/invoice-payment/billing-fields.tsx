import { useMemo } from 'react'
import { DoorField } from '../../public/text-field.tsx'
import { pageLocale } from '../../format/locale.ts'
import { countriesIn } from '../../ui/form/countries.ts'
import { PlainSelect } from '../../ui/form/native-select.tsx'
import styles from './pay-page.module.css'
import type { Typed } from './pay-form-values.ts'

interface BillingFieldsProps {
  readonly typed: Typed
  readonly onType: (part: Partial<Typed>) => void
}

const FIELDS = [
  { name: 'address', label: 'Address', autoComplete: 'billing address-line1', required: true },
  { name: 'city', label: 'City', autoComplete: 'billing address-level2', required: true },
  { name: 'state', label: 'State', autoComplete: 'billing address-level1', required: true },
  { name: 'zip', label: 'Zip', autoComplete: 'billing postal-code', required: true },
  { name: 'company', label: 'Company (optional)', autoComplete: 'billing organization', required: false },
] as const

/** The billing address, where the reseller wants one. */
export const BillingFields = ({ typed, onType }: BillingFieldsProps) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  return (
    <div className={styles.billing}>
      {FIELDS.map(({ name, label, autoComplete, required }) => (
        <DoorField
          key={name}
          label={label}
          name={name}
          autoComplete={autoComplete}
          required={required}
          maxLength={200}
          value={typed[name]}
          onChange={(event) => onType({ [name]: event.target.value })}
        />
      ))}
      <PlainSelect
        label="Country"
        options={countries}
        value={typed.country}
        onChange={(country) => onType({ country })}
        autoComplete="billing country"
        required
      />
    </div>
  )
}
