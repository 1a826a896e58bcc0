import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type FormEvent, useState } from 'react'
import { type AddressValues, AddressFields, type AddressLine } from '../../payments/address-fields.tsx'
import { isEmail } from '../../ui/form/is-email.ts'
import { ScriptWait } from '../../payments/providers/stripe/script-status.tsx'
import { createCardToken } from '../../payments/providers/stripe/card-token.ts'
import { CardFields } from '../../payments/providers/stripe/fields.tsx'
import { ElementsRoot } from '../../payments/providers/stripe/stripe-elements.tsx'
import type { StripeScript } from '../../payments/providers/stripe/use-stripe.ts'
import { canSubmit, EMPTY_FIELD } from '../../payments/providers/stripe/field-state.ts'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './bulk-payment.module.css'
import type { BulkPayment } from './use-bulk-payment.ts'

interface NewCardFormProps {
  readonly intent: PaymentIntent
  readonly details: PaymentDetails
  readonly payment: BulkPayment
  readonly onBack: () => void
}

type AddressKey = 'address' | 'city' | 'state' | 'zip'

const ADDRESS_LINES: readonly AddressLine<AddressKey>[] = [
  { key: 'address', label: 'Address', autoComplete: 'address-line1' },
  { key: 'city', label: 'City', autoComplete: 'address-level2' },
  { key: 'state', label: 'State', autoComplete: 'address-level1' },
  { key: 'zip', label: 'Zip', autoComplete: 'postal-code' },
]
const REQUIRED_ADDRESS_KEYS: readonly (AddressKey | 'country')[] = ['address', 'city', 'state', 'zip', 'country']
const EMPTY_ADDRESS: AddressValues<AddressKey> = { address: '', city: '', state: '', zip: '', country: '' }

/** A card that is used once. The provider's script turns it into a token, which pays (BP-03). */
export const NewCardForm = (props: NewCardFormProps) => (
  <ElementsRoot account={props.details}>{(script) => <CardForm {...props} script={script} />}</ElementsRoot>
)

const CardForm = ({ intent, details, payment, onBack, script }: NewCardFormProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(EMPTY_FIELD)
  const [cardHolder, setCardHolder] = useState('')
  const [email, setEmail] = useState('')
  const [address, setAddress] = useState(EMPTY_ADDRESS)
  const needsAddress = details.paymentBillingAddressRequired
  const hasAddress = !needsAddress || REQUIRED_ADDRESS_KEYS.every((key) => address[key].trim() !== '')
  const isReady = stripe !== null && canSubmit(card) && cardHolder.trim() !== '' && hasAddress && (email.trim() === '' || isEmail(email))

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    payment.pay(async () => ({
      type: 'card',
      cardToken: await createCardToken(stripe, elements, { name: cardHolder.trim(), ...address }),
      cardHolder: cardHolder.trim(),
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(needsAddress && { billingAddress: address }),
    }))
  }
  const clearErrorThen =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      payment.clearError()
      set(value)
    }

  if (script.state !== 'ready') return <ScriptWait script={script} />
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Cardholder"
        value={cardHolder}
        onChange={clearErrorThen(setCardHolder)}
        autoComplete="cc-name"
        maxLength={200}
        required
        disabled={payment.busy}
      />
      <CardFields
        isSplit={details.splitCardFields}
        disabled={payment.busy}
        onChange={clearErrorThen(setCard)}
        onFocus={payment.clearError}
      />
      {details.paymentEmailReceipt && (
        <TextField
          label="Email for the receipt"
          type="email"
          value={email}
          onChange={clearErrorThen(setEmail)}
          autoComplete="email"
          maxLength={254}
          disabled={payment.busy}
        />
      )}
      {needsAddress && (
        <AddressFields
          lines={ADDRESS_LINES}
          values={address}
          onChange={clearErrorThen(setAddress)}
          required={REQUIRED_ADDRESS_KEYS}
          disabled={payment.busy}
        />
      )}
      <ErrorText kind="box">{payment.error}</ErrorText>
      <div className={styles.actions}>
        {intent.total > 0 && (
          <Button type="submit" disabled={!isReady} busy={payment.busy} busyText="Paying…">
            Pay
          </Button>
        )}
        <Button kind="quiet" disabled={payment.busy} onPress={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}
