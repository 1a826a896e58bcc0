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
import { useStripeLook } from './element-style.ts'
import { together, UNTOUCHED, type WidgetState, widgetState } from '../../field-state.ts'

interface WidgetProps {
  readonly disabled: boolean
  readonly onChange: (state: WidgetState) => void
  /** Somebody begins to type there: what a form says of the last try is over. A change of the text alone need not be told. */
  readonly onTouch: () => void
}

/** Number, expiry and code of a card, in frames of the payment company: in one field, or in three where the reseller has them so. */
export const CardFields = ({ isSplit, ...widget }: WidgetProps & { readonly isSplit: boolean }) =>
  isSplit ? <SplitCard {...widget} /> : <WholeCard {...widget} />

const WholeCard = ({ disabled, onChange, onTouch }: WidgetProps) => {
  const style = useStripeLook()
  return (
    <Widget label="Card" onChange={onChange}>
      {(id, changed) => <CardElement id={id} options={{ style, disabled, hidePostalCode: true }} onChange={changed} onFocus={onTouch} />}
    </Widget>
  )
}

const SplitCard = ({ disabled, onChange, onTouch }: WidgetProps) => {
  const style = useStripeLook()
  const [parts, setParts] = useState([UNTOUCHED, UNTOUCHED, UNTOUCHED])
  const options = { style, disabled }
  const part = (at: number) => (state: WidgetState) => {
    const next = parts.with(at, state)
    setParts(next)
    onChange(together(next))
  }
  return (
    <div className={styles.split}>
      <Widget label="Card Number" onChange={part(0)}>
        {(id, changed) => <CardNumberElement id={id} options={{ ...options, showIcon: true }} onChange={changed} onFocus={onTouch} />}
      </Widget>
      <Widget label="Expiry" onChange={part(1)}>
        {(id, changed) => <CardExpiryElement id={id} options={options} onChange={changed} onFocus={onTouch} />}
      </Widget>
      <Widget label="CVC" onChange={part(2)}>
        {(id, changed) => <CardCvcElement id={id} options={options} onChange={changed} onFocus={onTouch} />}
      </Widget>
    </div>
  )
}

/** BSB and account number of an Australian bank account. */
export const AuBankFields = ({ disabled, onChange, onTouch }: WidgetProps) => {
  const style = useStripeLook()
  return (
    <Widget label="BSB and Account Number" onChange={onChange}>
      {(id, changed) => <AuBankAccountElement id={id} options={{ style, disabled }} onChange={changed} onFocus={onTouch} />}
    </Widget>
  )
}

/** An IBAN of a country in the single euro payments area. */
export const IbanField = ({ disabled, onChange, onTouch }: WidgetProps) => {
  const style = useStripeLook()
  return (
    <Widget label="IBAN" onChange={onChange}>
      {(id, changed) => (
        <IbanElement id={id} options={{ style, disabled, supportedCountries: ['SEPA'] }} onChange={changed} onFocus={onTouch} />
      )}
    </Widget>
  )
}

type Changed = (event: { complete: boolean; error?: { message?: string } | undefined }) => void

interface FrameProps {
  readonly label: string
  readonly onChange: (state: WidgetState) => void
  readonly children: (id: string, changed: Changed) => ReactNode
}

/** A label, the place of a frame, and what the frame says is wrong. */
const Widget = ({ label, onChange, children }: FrameProps) => {
  const id = useId()
  const [error, setError] = useState<string>()
  const changed: Changed = (event) => {
    const state = widgetState(event)
    setError(state.error)
    onChange(state)
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-wrong={error === undefined ? undefined : true}>
        {children(id, changed)}
      </div>
      <span className={styles.error} aria-live="polite">
        {error}
      </span>
    </div>
  )
}
