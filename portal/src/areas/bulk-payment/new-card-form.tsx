import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type FormEvent, useState } from 'react'
import { type Address, AddressFields, type AddressLine } from '../../payments/address-fields.tsx'
import { isEmail } from '../../ui/form/is-email.ts'
import { ScriptWait } from '../../payments/script-wait.tsx'
import { cardToken } from '../../payments/providers/stripe/card-token.ts'
import { CardFields } from '../../payments/providers/stripe/fields.tsx'
import { StripeRoot } from '../../payments/providers/stripe/elements-root.tsx'
import type { StripeScript } from '../../payments/providers/stripe/use-script.ts'
import { canSend, UNTOUCHED } from '../../payments/field-state.ts'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './bulk-payment.module.css'
import type { BulkPayment } from './use-bulk-payment.ts'

interface NewCardFormProps {
  readonly intent: PaymentIntent
  readonly details: PaymentDetails
  readonly payment: BulkPayment
  readonly onBack: () => void
}

type Key = 'address' | 'city' | 'state' | 'zip'

const LINES: readonly AddressLine<Key>[] = [
  { key: 'address', label: 'Address', autoComplete: 'address-line1' },
  { key: 'city', label: 'City', autoComplete: 'address-level2' },
  { key: 'state', label: 'State', autoComplete: 'address-level1' },
  { key: 'zip', label: 'Zip', autoComplete: 'postal-code' },
]
const ALL: readonly (Key | 'country')[] = ['address', 'city', 'state', 'zip', 'country']
const NOWHERE: Address<Key> = { address: '', city: '', state: '', zip: '', country: '' }

/** A card that is used once: its number goes to Stripe, its token pays (payments.md §2, Bulk payment screen). */
export const NewCardForm = (props: NewCardFormProps) => (
  <StripeRoot account={props.details}>{(script) => <CardForm {...props} script={script} />}</StripeRoot>
)

const CardForm = ({ intent, details, payment, onBack, script }: NewCardFormProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(UNTOUCHED)
  const [cardHolder, setCardHolder] = useState('')
  const [email, setEmail] = useState('')
  const [address, setAddress] = useState(NOWHERE)
  const mustAddress = details.paymentBillingAddressRequired
  const isAddressed = !mustAddress || ALL.every((key) => address[key].trim() !== '')
  const isReady = stripe !== null && canSend(card) && cardHolder.trim() !== '' && isAddressed && (email.trim() === '' || isEmail(email))

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    payment.pay(async () => ({
      type: 'card',
      cardToken: await cardToken(stripe, elements, { name: cardHolder.trim(), ...address }),
      cardHolder: cardHolder.trim(),
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(mustAddress && { billingAddress: address }),
    }))
  }
  const typed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      payment.clear()
      set(value)
    }

  if (script.state !== 'ready') return <ScriptWait script={script} />
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Cardholder"
        value={cardHolder}
        onChange={typed(setCardHolder)}
        autoComplete="cc-name"
        maxLength={200}
        required
        disabled={payment.busy}
      />
      <CardFields isSplit={details.splitCardFields} disabled={payment.busy} onChange={typed(setCard)} onTouch={payment.clear} />
      {details.paymentEmailReceipt && (
        <TextField
          label="Email for the receipt"
          type="email"
          value={email}
          onChange={typed(setEmail)}
          autoComplete="email"
          maxLength={254}
          disabled={payment.busy}
        />
      )}
      {mustAddress && <AddressFields lines={LINES} typed={address} onType={typed(setAddress)} required={ALL} disabled={payment.busy} />}
      <div role="alert">{payment.error !== null && <p className={styles.failed}>{payment.error}</p>}</div>
      <div className={styles.ways}>
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
