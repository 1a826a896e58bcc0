import { CARD_LABELS } from '../../payments/card/card-labels.ts'
import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { type AddressValues, AddressFields, type AddressLine } from '../../payments/methods/address-fields.tsx'
import type { EnteredCard, ProviderPanel } from '../../payments/providers/panel.ts'
import { formatMoney } from '../../format/format.ts'
import { missingAddress } from '../../payments/checkout/missing-address.ts'
import { isEmailOrEmpty, ReceiptEmail } from '../../payments/checkout/receipt-email.tsx'
import { SubmitNote } from '../../payments/checkout/submit-note.tsx'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { feeFor } from '../../payments/checkout/fee-lines.ts'
import { startCardFields } from '../../payments/card/card-fields.data.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './bulk-payment.module.css'
import { symbolOf } from './pay-summary.tsx'
import type { BulkPayment } from './use-bulk-payment.ts'

interface NewCardFormProps {
  readonly intent: PaymentIntent
  readonly details: PaymentDetails
  readonly payment: BulkPayment
  readonly loadCardEntry: NonNullable<ProviderPanel['loadCardEntry']>
  /** Above the form: another way to pay. */
  readonly children: ReactNode
}

type AddressKey = 'address' | 'city' | 'state' | 'zip'

const ADDRESS_LINES: readonly AddressLine<AddressKey>[] = [
  { key: 'address', autoComplete: 'address-line1' },
  { key: 'city', autoComplete: 'address-level2' },
  { key: 'state', autoComplete: 'address-level1' },
  { key: 'zip', autoComplete: 'postal-code' },
]
const REQUIRED_ADDRESS_KEYS: readonly (AddressKey | 'country')[] = ['country', 'address', 'city', 'state', 'zip']
const EMPTY_ADDRESS: AddressValues<AddressKey> = { address: '', city: '', state: '', zip: '', country: '' }

/** The form for a card that is used once (BP-03). */
export const NewCardForm = ({ intent, details, payment, loadCardEntry, children }: NewCardFormProps) => {
  const module = useProviderModule(loadCardEntry)
  const [cardHolder, setCardHolder] = useState('')
  const [email, setEmail] = useState(intent.email ?? '')
  const total = feeFor(intent, 'card')?.total ?? intent.total
  const [address, setAddress] = useState(EMPTY_ADDRESS)
  const needsAddress = details.paymentBillingAddressRequired
  const noteId = useId()
  const missing = (card: EnteredCard): readonly string[] => [
    ...(cardHolder.trim() === '' ? ['name on card'] : []),
    ...card.missing,
    ...(needsAddress ? missingAddress(address) : []),
    ...(isEmailOrEmpty(email) ? [] : ['a valid email']),
  ]
  const canPay = (card: EnteredCard): boolean => missing(card).length === 0

  const submit = (event: FormEvent, card: EnteredCard): void => {
    event.preventDefault()
    if (!canPay(card)) return
    payment.pay(total, async () => ({
      type: 'card',
      ...(await card.toPayment({ name: cardHolder.trim(), ...address })),
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

  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { CardEntry } = module.value
  return (
    <CardEntry account={details} startCardFields={startCardFields} disabled={payment.busy} onEdit={payment.clearError}>
      {(card) => (
        <form className={styles.form} onSubmit={(event) => submit(event, card)}>
          {children}
          <TextField
            label={CARD_LABELS.holder}
            value={cardHolder}
            onChange={clearErrorThen(setCardHolder)}
            autoComplete="cc-name"
            maxLength={200}
            required
            disabled={payment.busy}
          />
          {card.fields}
          {needsAddress && (
            <AddressFields
              lines={ADDRESS_LINES}
              values={address}
              onChange={clearErrorThen(setAddress)}
              required={REQUIRED_ADDRESS_KEYS}
              disabled={payment.busy}
            />
          )}
          {details.paymentEmailReceipt && <ReceiptEmail value={email} onChange={clearErrorThen(setEmail)} disabled={payment.busy} />}
          <ErrorText kind="box">{payment.error}</ErrorText>
          {intent.total > 0 && (
            <Button
              type="submit"
              size="large"
              wide
              disabled={!canPay(card)}
              busy={payment.busy}
              busyText={payment.busyText}
              describedBy={canPay(card) ? undefined : noteId}
            >
              {`Pay ${formatMoney(total, symbolOf(intent))}`}
            </Button>
          )}
          <PaymentNotice {...payment} />
          <SubmitNote id={noteId} missing={missing(card)} />
          {details.paymentTypeDisclaimer !== null && <p className={styles.small}>{details.paymentTypeDisclaimer}</p>}
        </form>
      )}
    </CardEntry>
  )
}
