import { useMemo } from 'react'
import { countriesIn } from '../ui/form/countries.ts'
import { NativeSelect } from '../ui/form/native-select.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import styles from './address-fields.module.css'
import { pageLocale } from '../format/locale.ts'

/** A line of an address: its field in what is sent, its label, and what a browser may fill in. */
export interface AddressLine<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly autoComplete: 'address-line1' | 'address-line2' | 'address-level2' | 'address-level1' | 'postal-code' | 'organization'
}

export type AddressValues<Key extends string> = Readonly<Record<Key | 'country', string>>

interface AddressFieldsProps<Key extends string> {
  readonly lines: readonly AddressLine<Key>[]
  readonly address: AddressValues<Key>
  readonly onChange: (address: AddressValues<Key>) => void
  /** The lines that must be filled in. */
  readonly required: readonly (Key | 'country')[]
  readonly disabled: boolean
}

/** The lines of an address and its country. */
export const AddressFields = <Key extends string>({ lines, address, onChange, required, disabled }: AddressFieldsProps<Key>) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  const changeLine = (key: Key | 'country', text: string): void => onChange({ ...address, [key]: text })
  return (
    <div className={styles.fields}>
      {lines.map(({ key, label, autoComplete }) => (
        <TextField
          key={key}
          label={label}
          value={address[key]}
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
        value={address.country}
        onChange={(code) => changeLine('country', code)}
        autoComplete="billing country"
        required={required.includes('country')}
        disabled={disabled}
      />
    </div>
  )
}
