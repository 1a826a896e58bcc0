import { useMemo } from 'react'
import { countriesIn } from '../ui/form/countries.ts'
import { NativeSelect } from '../ui/form/native-select.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import styles from './address-fields.module.css'
import { pageLocale } from '../format/locale.ts'

/** A line of an address: its key, its label and its autocomplete value. */
export interface AddressLine<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly autoComplete: 'address-line1' | 'address-line2' | 'address-level2' | 'address-level1' | 'postal-code' | 'organization'
}

export type AddressValues<Key extends string> = Readonly<Record<Key | 'country', string>>

interface AddressFieldsProps<Key extends string> {
  readonly lines: readonly AddressLine<Key>[]
  readonly values: AddressValues<Key>
  readonly onChange: (values: AddressValues<Key>) => void
  /** The lines that must be filled in. */
  readonly required: readonly (Key | 'country')[]
  readonly disabled: boolean
}

/** Text fields for the lines of an address, and a country select. */
export const AddressFields = <Key extends string>({ lines, values, onChange, required, disabled }: AddressFieldsProps<Key>) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  const changeLine = (key: Key | 'country', text: string): void => onChange({ ...values, [key]: text })
  return (
    <div className={styles.fields}>
      {lines.map(({ key, label, autoComplete }) => (
        <TextField
          key={key}
          label={label}
          value={values[key]}
          onChange={(text) => changeLine(key, text)}
          autoComplete={`billing ${autoComplete}`}
          maxLength={200}
          required={required.includes(key)}
          disabled={disabled}
        />
      ))}
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
  )
}
