import { CARD_LABELS } from '../../payments/card/card-labels.ts'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ReceiptEmail } from '../../payments/checkout/receipt-email.tsx'
import { SubmitNote } from '../../payments/checkout/submit-note.tsx'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { usePaymentOutcome } from '../../payments/outcome/use-payment-outcome.ts'
import { isAmountChanged } from '../../payments/outcome/payment-error.ts'
import { startPayCardFields } from '../../payments/card/card-fields.data.ts'
import type { EnteredCard, ProviderPanel } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { cardTotalText } from './invoice-summary.tsx'
import { payInvoice } from './invoice-payment.data.ts'
import styles from './pay-page.module.css'
import { PaymentFailed } from './payment-failed.tsx'
import { EMPTY_VALUES, missingFields, toRequestFields, type PayFormValues } from './pay-form-values.ts'
import type { LinkPayment } from './link-payment.ts'

interface PayFormProps extends LinkPayment {
  readonly token: string
  readonly invoice: InvoicePayment
  readonly loadCardEntry: NonNullable<ProviderPanel['loadCardEntry']>
  /** The receipt address that the payer used before; empty for a payer who is not signed in. */
  readonly initialEmail: string
  readonly onBusy: (isBusy: boolean) => void
}

/** Loads the code of the address fields, which are shown only where the reseller requires an address. */
const loadBillingFields = () => import('./billing-fields.tsx')

/** How long the overlay stays after a failed payment (SP-04). */
const OVERLAY_MS = 1_500

/** The card form of one invoice. The values stay until the payment is made. */
export const PayForm = (props: PayFormProps) => {
  const { token, invoice, loadCardEntry, initialError, initialEmail, onBusy, readStanding, onAnswer, onRedirect } = props
  const module = useProviderModule(loadCardEntry)
  const billing = useProviderModule(invoice.requiredBillingAddress ? loadBillingFields : null)
  const [values, setValues] = useState({ ...EMPTY_VALUES, email: initialEmail })
  // An address that only the provider needs gets no receipt.
  const receiptEmail = invoice.enabledReceipt ? values.email.trim() : ''
  const payment = usePaymentOutcome({
    subject: invoice.uid,
    lastPaymentId: invoice.lastPaymentId,
    scriptUrl: invoice.scriptUrl,
    readStanding,
    onAnswer: (result) => onAnswer(result, cardTotalText(invoice), receiptEmail),
    onRedirect: (result) => onRedirect(result, cardTotalText(invoice), receiptEmail),
    advice: 'Try another card.',
    holdMs: OVERLAY_MS,
    initialError,
  })
  const { busy, error, clearError } = payment
  // The form shows the new amount by then, so the same card may pay it.
  const [hasAmountChanged, setAmountChanged] = useState(false)
  useEffect(() => onBusy(busy), [onBusy, busy])
  const noteId = useId()
  const missing = (card: EnteredCard): readonly string[] => missingFields(values, invoice, card.missing)
  const canPay = (card: EnteredCard): boolean => missing(card).length === 0 && (error === null || hasAmountChanged)

  const pay = (card: EnteredCard): void =>
    payment.pay(async () => {
      const cardHolder = { name: values.cardHolder, email: values.email, ...billingAddressOf(values, invoice) }
      const cardPayment = await card.toPayment(cardHolder)
      setAmountChanged(false)
      return (headers) =>
        payInvoice(invoice, { ...cardPayment, ...toRequestFields(values, invoice) }, headers).catch((failure: unknown) => {
          setAmountChanged(isAmountChanged(failure))
          throw failure
        })
    })

  const handleSubmit = (event: FormEvent, card: EnteredCard): void => {
    event.preventDefault()
    if (canPay(card)) pay(card)
  }
  const change = (changes: Partial<PayFormValues>): void => {
    clearError()
    setValues({ ...values, ...changes })
  }

  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { CardEntry } = module.value
  const holder = (
    <TextField
      label={invoice.requiredCardHolder ? CARD_LABELS.holder : `${CARD_LABELS.holder} (optional)`}
      name="cardHolder"
      autoComplete="cc-name"
      maxLength={200}
      required={invoice.requiredCardHolder}
      value={values.cardHolder}
      onChange={(cardHolder) => change({ cardHolder })}
    />
  )
  const email = (
    <ReceiptEmail
      label={invoice.enabledReceipt ? CARD_LABELS.receipt : 'Email'}
      required={invoice.requiredEmail}
      value={values.email}
      onChange={(email) => change({ email })}
    />
  )
  return (
    <CardEntry account={invoice} startCardFields={() => startPayCardFields(token)} disabled={busy} onEdit={clearError}>
      {(card) => (
        <form className={styles.form} onSubmit={(event) => handleSubmit(event, card)} noValidate aria-busy={busy}>
          {error !== null && <PaymentFailed why={error} />}
          {invoice.requiredCardHolder && holder}
          {card.fields}
          {invoice.requiredEmail && email}
          {invoice.requiredBillingAddress && billing.state !== 'ready' && (
            <ResourceStatus resource={billing} subject="The billing address" />
          )}
          {billing.state === 'ready' && <billing.value.BillingFields values={values} onChange={change} />}
          {!invoice.requiredCardHolder && holder}
          {!invoice.requiredEmail && invoice.enabledReceipt && email}
          <Button
            type="submit"
            size="large"
            busyText={payment.busyText}
            busy={busy}
            disabled={!canPay(card) && !busy}
            describedBy={canPay(card) || busy ? undefined : noteId}
          >
            {`Pay ${cardTotalText(invoice)}`}
          </Button>
          <PaymentNotice {...payment} />
          {!busy && (
            <SubmitNote
              id={noteId}
              missing={missing(card)}
              instead={error !== null && !hasAmountChanged && 'To try again, change anything above.'}
            />
          )}
          {invoice.paymentTypeDisclaimer !== null && <p className={styles.small}>{invoice.paymentTypeDisclaimer}</p>}
          {busy && !payment.isUnanswered && <SpinnerOverlay label="Paying" isDimmed />}
        </form>
      )}
    </CardEntry>
  )
}

/** The billing address for the provider, as it was typed; no fields where the reseller requires none. */
const billingAddressOf = ({ address, city, state, zip, country }: PayFormValues, { requiredBillingAddress }: InvoicePayment) =>
  requiredBillingAddress ? { address, city, state, zip, country } : {}
