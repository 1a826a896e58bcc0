import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { isPossiblyStale, paymentErrorText } from '../../payments/payment-error.ts'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { ScriptWait } from '../../payments/providers/stripe/script-status.tsx'
import { createCardToken } from '../../payments/providers/stripe/card-token.ts'
import { CardFields } from '../../payments/providers/stripe/fields.tsx'
import { ElementsRoot } from '../../payments/providers/stripe/stripe-elements.tsx'
import type { StripeScript } from '../../payments/providers/stripe/use-stripe.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { canSubmit, EMPTY_FIELD } from '../../payments/providers/stripe/field-state.ts'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { BillingFields } from './billing-fields.tsx'
import { totalText } from './invoice-summary.tsx'
import { payInvoice } from './invoice-payment.data.ts'
import styles from './pay-page.module.css'
import { isComplete, EMPTY_VALUES, toRequestFields, type PayFormValues } from './pay-form-values.ts'
import { storeRedirectedPayment } from './redirected-payment.ts'

interface PayFormProps {
  readonly token: string
  readonly invoice: InvoicePayment
  /** The error of a payment that failed while nobody was told, "" without a reason; null when there is none. */
  readonly initialError: string | null
  readonly onPaid: (email: string) => void
  /** Loads the invoice again: only the server knows whether money moved. */
  readonly reloadInvoice: () => Promise<InvoicePayment | null>
}

/** How long the overlay stays after a failed payment (SP-04). */
const OVERLAY_MS = 1_500

/** The card form of one invoice. The values stay until the payment is made. */
export const PayForm = (props: PayFormProps) => (
  <ElementsRoot account={props.invoice}>{(script) => <CardForm {...props} script={script} />}</ElementsRoot>
)

const CardForm = ({ token, invoice, initialError, onPaid, reloadInvoice, script }: PayFormProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(EMPTY_FIELD)
  const [values, setValues] = useState(EMPTY_VALUES)
  const { busy, error, submit, clearError } = useSubmit(paymentErrorText, OVERLAY_MS, initialError)
  const isReady = stripe !== null && canSubmit(card) && isComplete(values, invoice) && error === null

  const pay = async (): Promise<unknown> => {
    const cardOwner = { name: values.cardHolder, email: values.email, ...billingAddressOf(values, invoice) }
    const cardToken = await createCardToken(stripe, elements, cardOwner)
    try {
      const response = await payInvoice(invoice, { cardToken, ...toRequestFields(values, invoice) })
      if (response.status === 'requires_action') return redirectToConfirmation(response.redirectToUrl)
      if (response.status === 'succeeded') {
        broadcastPaid()
        onPaid(values.email.trim())
        return NAVIGATING
      }
      return await reloadInvoice()
    } catch (failure) {
      if (isPossiblyStale(failure)) await reloadInvoice()
      throw failure
    }
  }

  const redirectToConfirmation = (target: string | null): typeof NAVIGATING => {
    const url = safeRedirect(target, invoice.scriptUrl)
    if (url === null) throw new Error('The confirmation page of your bank cannot be opened. Please contact support.')
    storeRedirectedPayment(token, { paid: totalText(invoice), email: values.email.trim() })
    location.assign(url)
    return NAVIGATING
  }

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) submit(pay)
  }
  const change = (changes: Partial<PayFormValues>): void => {
    clearError()
    setValues({ ...values, ...changes })
  }

  if (script.state !== 'ready') return <ScriptWait script={script} />
  return (
    <form className={styles.form} onSubmit={handleSubmit} noValidate aria-busy={busy}>
      {error !== null && (
        <div className={`${styles.status} ${styles.bad} ${styles.lines}`} role="alert">
          <p>Payment Failed</p>
          {error !== '' && <p>{error}</p>}
        </div>
      )}
      <TextField
        label="Name on card"
        name="cardHolder"
        autoComplete="cc-name"
        maxLength={200}
        required={invoice.requiredCardHolder}
        value={values.cardHolder}
        onChange={(cardHolder) => change({ cardHolder })}
      />
      <CardFields
        isSplit={invoice.splitCardFields}
        disabled={busy}
        onFocus={clearError}
        onChange={(state) => {
          clearError()
          setCard(state)
        }}
      />
      {invoice.enabledReceipt && (
        <TextField
          label="Email for the receipt"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          value={values.email}
          onChange={(email) => change({ email })}
        />
      )}
      {invoice.requiredBillingAddress && <BillingFields values={values} onChange={change} />}
      <Button type="submit" size="large" busyText="Paying…" busy={busy} disabled={!isReady && !busy}>
        {`Pay ${totalText(invoice)}`}
      </Button>
      {busy && <SpinnerOverlay label="Paying" isDimmed />}
    </form>
  )
}

const billingAddressOf = ({ address, city, state, zip, country }: PayFormValues, { requiredBillingAddress }: InvoicePayment) =>
  requiredBillingAddress ? { address, city, state, zip, country } : {}
