import { CARD_LABELS } from '../../../card/card-labels.ts'
import { CardCvcElement, CardElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js'
import { useState } from 'react'
import { ElementField, type FieldProps } from './element-field.tsx'
import { useElementStyle } from './element-style.ts'
import { combineFieldStates, EMPTY_FIELD, type FieldState } from './field-state.ts'
import styles from './fields.module.css'

/** Number, expiry and code of a card in Stripe's frames: one field or three, as the reseller has configured. */
export const CardFields = ({ isSplit, ...props }: FieldProps & { readonly isSplit: boolean }) =>
  isSplit ? <SplitCardFields {...props} /> : <SingleCardField {...props} />

/** Stripe's one field for number, expiry and code. */
const SingleCardField = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="Card" onChange={onChange}>
      {(id, handlers) => <CardElement id={id} options={{ style, disabled, hidePostalCode: true }} {...handlers} onFocus={onFocus} />}
    </ElementField>
  )
}

/** Stripe's three fields for number, expiry and code; `onChange` gets the state of all together. */
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
      <ElementField label={CARD_LABELS.number} onChange={partAt(0)}>
        {(id, handlers) => <CardNumberElement id={id} options={{ ...options, showIcon: true }} {...handlers} onFocus={onFocus} />}
      </ElementField>
      <ElementField label={CARD_LABELS.expiry} onChange={partAt(1)}>
        {(id, handlers) => <CardExpiryElement id={id} options={options} {...handlers} onFocus={onFocus} />}
      </ElementField>
      <ElementField label={CARD_LABELS.code} onChange={partAt(2)}>
        {(id, handlers) => <CardCvcElement id={id} options={options} {...handlers} onFocus={onFocus} />}
      </ElementField>
    </div>
  )
}
