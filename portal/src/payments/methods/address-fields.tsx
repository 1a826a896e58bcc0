import { useMemo } from 'react'
import { countriesIn } from '../../ui/form/countries.ts'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './address-fields.module.css'
import { pageLocale } from '../../format/locale.ts'

/** The lines of an address by their autocomplete values, with the label that each has in every form. */
const LABELS = {
  'address-line1': 'Address',
  'address-line2': 'Address line 2',
  'address-level2': 'City',
  'address-level1': 'State or province',
  'postal-code': 'Postcode or ZIP',
  organization: 'Company',
} as const

/** These lines are as wide as the form. */
const LONG_LINES: ReadonlySet<string> = new Set(['address-line1', 'address-line2', 'organization'])

/** A line of an address: its key and which line it is. */
export interface AddressLine<Key extends string> {
  readonly key: Key
  readonly autoComplete: keyof typeof LABELS
}

export type AddressValues<Key extends string> = Readonly<Record<Key | 'country', string>>

interface AddressFieldsProps<Key extends string, Values extends AddressValues<Key>> {
  readonly lines: readonly AddressLine<Key>[]
  readonly values: Values
  readonly onChange: (values: Values) => void
  /** The lines that must be filled in. */
  readonly required: readonly (Key | 'country')[]
  readonly disabled: boolean
}

/** A billing address: a country select, because the rest depends on it, and text fields for its lines, folded where it is enough. */
export const AddressFields = <Key extends string, Values extends AddressValues<Key>>(props: AddressFieldsProps<Key, Values>) => {
  const { lines, values, onChange, required, disabled } = props
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  const isOnlyCountryRequired = required.length > 0 && required.every((key) => key === 'country')
  // Where no line is required, none needs to say that it is not.
  const isOptional = (key: Key): boolean => lines.some((line) => required.includes(line.key)) && !required.includes(key)
  const changeLine = (key: Key | 'country', text: string): void => onChange({ ...values, [key]: text })
  const lineFields = lines.map(({ key, autoComplete }) => (
    <div key={key} className={LONG_LINES.has(autoComplete) ? styles.long : undefined}>
      <TextField
        label={LABELS[autoComplete] + (isOptional(key) ? ' (optional)' : '')}
        value={values[key]}
        onChange={(text) => changeLine(key, text)}
        autoComplete={`billing ${autoComplete}`}
        maxLength={200}
        required={required.includes(key)}
        disabled={disabled}
      />
    </div>
  ))
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>{required.length === 0 ? 'Billing address (optional)' : 'Billing address'}</legend>
      <div className={styles.long}>
        <NativeSelect
          label="Country"
          options={countries}
          value={values.country}
          onChange={(code) => changeLine('country', code)}
          autoComplete="billing country"
          required={required.includes('country')}
          disabled={disabled}
        />
      </div>
      {isOnlyCountryRequired ? (
        <details className={styles.long}>
          <summary className={styles.opener}>Full address (optional)</summary>
          <div className={styles.fields}>{lineFields}</div>
        </details>
      ) : (
        lineFields
      )}
    </fieldset>
  )
}
