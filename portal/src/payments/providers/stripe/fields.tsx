import {
  AuBankAccountElement,
  CardCvcElement,
  CardElement,
  CardExpiryElement,
  CardNumberElement,
  IbanElement,
} from '@stripe/react-stripe-js'
import { type ReactNode, useId, useState } from 'react'
import styles from './fields.module.css'
import { useElementStyle } from './element-style.ts'
import { combineFieldStates, EMPTY_FIELD, type FieldState, toFieldState } from './field-state.ts'

interface FieldProps {
  readonly disabled: boolean
  readonly onChange: (state: FieldState) => void
  /** Somebody begins to type there: what a form says of the last try is over. A change of the text alone need not be told. */
  readonly onFocus: () => void
}

/** Number, expiry and code of a card, in frames of the payment company: in one field, or in three where the reseller has them so. */
export const CardFields = ({ isSplit, ...props }: FieldProps & { readonly isSplit: boolean }) =>
  isSplit ? <SplitCardFields {...props} /> : <SingleCardField {...props} />

const SingleCardField = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="Card" onChange={onChange}>
      {(id, handleChange) => (
        <CardElement id={id} options={{ style, disabled, hidePostalCode: true }} onChange={handleChange} onFocus={onFocus} />
      )}
    </ElementField>
  )
}

const SplitCardFields = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  const [parts, setParts] = useState([EMPTY_FIELD, EMPTY_FIELD, EMPTY_FIELD])
  const options = { style, disabled }
  const partAt = (index: number) => (state: FieldState) => {
    const next = parts.with(index, state)
    setParts(next)
    onChange(combineFieldStates(next))
  }
  return (
    <div className={styles.split}>
      <ElementField label="Card Number" onChange={partAt(0)}>
        {(id, handleChange) => (
          <CardNumberElement id={id} options={{ ...options, showIcon: true }} onChange={handleChange} onFocus={onFocus} />
        )}
      </ElementField>
      <ElementField label="Expiry" onChange={partAt(1)}>
        {(id, handleChange) => <CardExpiryElement id={id} options={options} onChange={handleChange} onFocus={onFocus} />}
      </ElementField>
      <ElementField label="CVC" onChange={partAt(2)}>
        {(id, handleChange) => <CardCvcElement id={id} options={options} onChange={handleChange} onFocus={onFocus} />}
      </ElementField>
    </div>
  )
}

/** BSB and account number of an Australian bank account. */
export const AuBankFields = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="BSB and Account Number" onChange={onChange}>
      {(id, handleChange) => <AuBankAccountElement id={id} options={{ style, disabled }} onChange={handleChange} onFocus={onFocus} />}
    </ElementField>
  )
}

/** An IBAN of a country in the single euro payments area. */
export const IbanField = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="IBAN" onChange={onChange}>
      {(id, handleChange) => (
        <IbanElement id={id} options={{ style, disabled, supportedCountries: ['SEPA'] }} onChange={handleChange} onFocus={onFocus} />
      )}
    </ElementField>
  )
}

type ChangeHandler = (event: { complete: boolean; error?: { message?: string } | undefined }) => void

interface ElementFieldProps {
  readonly label: string
  readonly onChange: (state: FieldState) => void
  readonly children: (id: string, handleChange: ChangeHandler) => ReactNode
}

/** A label, the place of a frame, and what the frame says is wrong. */
const ElementField = ({ label, onChange, children }: ElementFieldProps) => {
  const id = useId()
  const [error, setError] = useState<string>()
  const handleChange: ChangeHandler = (event) => {
    const state = toFieldState(event)
    setError(state.error)
    onChange(state)
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-wrong={error === undefined ? undefined : true}>
        {children(id, handleChange)}
      </div>
      <span className={styles.error} aria-live="polite">
        {error}
      </span>
    </div>
  )
}
