import { useMemo } from 'react'
import { countriesIn } from '../ui/form/countries.ts'
import { PlainSelect } from '../ui/form/native-select.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import styles from './address-fields.module.css'
import { pageLocale } from '../format/locale.ts'

/** A line of an address: its field in what is sent, its label, and what a browser may fill in. */
export interface AddressLine<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly autoComplete: 'address-line1' | 'address-line2' | 'address-level2' | 'address-level1' | 'postal-code' | 'organization'
}

export type Address<Key extends string> = Readonly<Record<Key | 'country', string>>

interface AddressFieldsProps<Key extends string> {
  readonly lines: readonly AddressLine<Key>[]
  readonly typed: Address<Key>
  readonly onType: (typed: Address<Key>) => void
  /** The lines that must be filled in. */
  readonly required: readonly (Key | 'country')[]
  readonly disabled: boolean
}

/** The lines of an address and its country. */
export const AddressFields = <Key extends string>({ lines, typed, onType, required, disabled }: AddressFieldsProps<Key>) => {
  const countries = useMemo(() => countriesIn(pageLocale()).map(({ code, name }) => ({ id: code, label: name })), [])
  const type = (key: Key | 'country', text: string): void => onType({ ...typed, [key]: text })
  return (
    <div className={styles.fields}>
      {lines.map(({ key, label, autoComplete }) => (
        <TextField
          key={key}
          label={label}
          value={typed[key]}
          onChange={(text) => type(key, text)}
          autoComplete={`billing ${autoComplete}`}
          maxLength={200}
          required={required.includes(key)}
          disabled={disabled}
        />
      ))}
      <PlainSelect
        label="Country"
        options={countries}
        value={typed.country}
        onChange={(code) => type('country', code)}
        autoComplete="billing country"
        required={required.includes('country')}
        disabled={disabled}
      />
    </div>
  )
}
