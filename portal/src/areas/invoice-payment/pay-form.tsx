import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type FormEvent, useState } from 'react'
import { DoorButton } from '../../public/button.tsx'
import { DoorField } from '../../public/text-field.tsx'
import { isStale, payRefusal } from '../../payments/payment-error.ts'
import { tellPaid } from '../../payments/payment-broadcast.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { ScriptWait } from '../../payments/script-wait.tsx'
import { cardToken } from '../../payments/providers/stripe/card-token.ts'
import { CardFields } from '../../payments/providers/stripe/fields.tsx'
import { StripeRoot } from '../../payments/providers/stripe/elements-root.tsx'
import type { StripeScript } from '../../payments/providers/stripe/use-script.ts'
import { LEAVING, useSending } from '../../ui/form/use-submit.ts'
import { canSend, UNTOUCHED } from '../../payments/field-state.ts'
import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { BillingFields } from './billing-fields.tsx'
import { totalText } from './invoice-summary.tsx'
import { payInvoice } from './invoice-payment.data.ts'
import styles from './pay-page.module.css'
import { isFilledIn, NOTHING_TYPED, sentFields, type Typed } from './pay-form-values.ts'
import { rememberLeaving } from './redirected-payment.ts'

interface PayFormProps {
  readonly token: string
  readonly invoice: InvoicePayment
  /** Why the payment failed for which somebody has waited, at the bank or here, without being told; null on any other way here. */
  readonly failedWith: string | null
  readonly onPaid: (email: string) => void
  /** Asks the server how the invoice stands: nobody else knows whether money moved. */
  readonly onUnclear: () => Promise<InvoicePayment | null>
}

/** After a failed payment the form stays under its overlay for a moment (payments.md §4, §9). */
const OVERLAY_MS = 1_500

/** The card form of one invoice. What was typed stays until the payment is made. */
export const PayForm = (props: PayFormProps) => (
  <StripeRoot account={props.invoice}>{(script) => <CardForm {...props} script={script} />}</StripeRoot>
)

const CardForm = ({ token, invoice, failedWith, onPaid, onUnclear, script }: PayFormProps & { script: StripeScript }) => {
  const [stripe, elements] = [useStripe(), useElements()]
  const [card, setCard] = useState(UNTOUCHED)
  const [typed, setTyped] = useState(NOTHING_TYPED)
  const { busy, error, send, clear } = useSending(payRefusal, OVERLAY_MS, failedWith)
  const isReady = stripe !== null && canSend(card) && isFilledIn(typed, invoice) && error === null

  const pay = async (): Promise<unknown> => {
    const cardTokenOf = { name: typed.cardHolder, email: typed.email, ...billingOf(typed, invoice) }
    const cardTokenText = await cardToken(stripe, elements, cardTokenOf)
    try {
      const answer = await payInvoice(invoice, { cardToken: cardTokenText, ...sentFields(typed, invoice) })
      if (answer.status === 'requires_action') return leave(answer.redirectToUrl)
      if (answer.status === 'succeeded') {
        tellPaid()
        onPaid(typed.email.trim())
        return LEAVING
      }
      return await onUnclear()
    } catch (failure) {
      if (isStale(failure)) await onUnclear()
      throw failure
    }
  }

  const leave = (target: string | null): typeof LEAVING => {
    const way = safeRedirect(target, invoice.scriptUrl)
    if (way === null) throw new Error('The page for your confirmation cannot be opened. Please contact support.')
    rememberLeaving(token, { paid: totalText(invoice), email: typed.email.trim() })
    location.assign(way)
    return LEAVING
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) send(pay)
  }
  const type = (part: Partial<Typed>): void => {
    clear()
    setTyped({ ...typed, ...part })
  }

  if (script.state !== 'ready') return <ScriptWait script={script} />
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-busy={busy}>
      {error !== null && (
        <div className={`${styles.status} ${styles.bad} ${styles.lines}`} role="alert">
          <p>Payment Failed</p>
          {error !== '' && <p>{error}</p>}
        </div>
      )}
      <DoorField
        label="Name on card"
        name="cardHolder"
        autoComplete="cc-name"
        maxLength={200}
        required={invoice.requiredCardHolder}
        value={typed.cardHolder}
        onChange={(event) => type({ cardHolder: event.target.value })}
      />
      <CardFields
        isSplit={invoice.splitCardFields}
        disabled={busy}
        onTouch={clear}
        onChange={(state) => {
          clear()
          setCard(state)
        }}
      />
      {invoice.enabledReceipt && (
        <DoorField
          label="Email for the receipt"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          value={typed.email}
          onChange={(event) => type({ email: event.target.value })}
        />
      )}
      {invoice.requiredBillingAddress && <BillingFields typed={typed} onType={type} />}
      <DoorButton label={`Pay ${totalText(invoice)}`} busyLabel="Paying…" busy={busy} disabled={!isReady && !busy} />
      {busy && <SpinnerOverlay label="Paying" veil />}
    </form>
  )
}

const billingOf = ({ address, city, state, zip, country }: Typed, { requiredBillingAddress }: InvoicePayment) =>
  requiredBillingAddress ? { address, city, state, zip, country } : {}
