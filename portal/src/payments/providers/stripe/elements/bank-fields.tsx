import { AuBankAccountElement, IbanElement } from '@stripe/react-stripe-js'
import { ElementField, type FieldProps } from './element-field.tsx'
import { useElementStyle } from './element-style.ts'

/** Stripe's field, in a frame, for BSB and account number of an Australian bank account. */
export const AuBankFields = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="BSB and account number" onChange={onChange}>
      {(id, handlers) => <AuBankAccountElement id={id} options={{ style, disabled }} {...handlers} onFocus={onFocus} />}
    </ElementField>
  )
}

/** Stripe's field, in a frame, for an IBAN of a country in the single euro payments area. */
export const IbanField = ({ disabled, onChange, onFocus }: FieldProps) => {
  const style = useElementStyle()
  return (
    <ElementField label="IBAN" onChange={onChange}>
      {(id, handlers) => (
        <IbanElement id={id} options={{ style, disabled, supportedCountries: ['SEPA'] }} {...handlers} onFocus={onFocus} />
      )}
    </ElementField>
  )
}
