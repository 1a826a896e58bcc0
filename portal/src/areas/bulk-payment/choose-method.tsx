import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { type FormEvent, useId, useState } from 'react'
import { formatMoney } from '../../format/format.ts'
import { defaultMethod, MethodChoice } from '../../payments/checkout/method-choice.tsx'
import { isEmailOrEmpty, ReceiptEmail } from '../../payments/checkout/receipt-email.tsx'
import { SubmitNote } from '../../payments/checkout/submit-note.tsx'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { feeFor } from '../../payments/checkout/fee-lines.ts'
import type { MethodKind, SavedMethod } from '../../payments/providers/panel.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './bulk-payment.module.css'
import { FirstMethod } from './first-method.tsx'
import { symbolOf } from './pay-summary.tsx'
import type { BulkPayment } from './use-bulk-payment.ts'

interface ChooseMethodProps {
  readonly intent: PaymentIntent
  readonly methods: readonly SavedMethod[]
  readonly details: PaymentDetails
  readonly payment: BulkPayment
  readonly onKind: (kind: MethodKind | null) => void
  /** Whether the provider's payments name the method in `cardToken`, too. */
  readonly namesInCardToken: boolean
  /** Whether a bank account can be added in Payment Types, and then pays. */
  readonly takesAccounts: boolean
  /** Opens the form for a new card; undefined if the provider has none. */
  readonly onNewCard: (() => void) | undefined
}

/** The form that pays with a saved method, the default one chosen. Without any, the button opens the form for a new card (BP-02). */
export const ChooseMethod = ({
  intent,
  methods,
  details,
  payment,
  onKind,
  namesInCardToken,
  takesAccounts,
  onNewCard,
}: ChooseMethodProps) => {
  const [selected, setSelected] = useState(() => defaultMethod(methods) ?? null)
  const [email, setEmail] = useState(intent.email ?? '')
  const hasSavedMethods = methods.length > 0
  const asksEmail = hasSavedMethods && details.paymentEmailReceipt
  const receipt = email.trim()
  const canPay = !asksEmail || isEmailOrEmpty(receipt)
  const noteId = useId()
  const total = feeFor(intent, selected?.kind ?? null)?.total ?? intent.total

  const sum = formatMoney(total, symbolOf(intent))

  const select = (id: string): void => {
    const method = methods.find((candidate) => candidate.id === id) ?? null
    payment.clearError()
    setSelected(method)
    onKind(method?.kind ?? null)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!hasSavedMethods) onNewCard?.()
    else if (selected !== null && canPay)
      payment.pay(total, async () => ({
        cardId: selected.id,
        type: selected.type,
        ...(asksEmail && receipt !== '' && { email: receipt }),
        ...(namesInCardToken && { cardToken: selected.id }),
      }))
  }

  const button = intent.total > 0 && (
    <Button
      type="submit"
      size="large"
      wide
      disabled={hasSavedMethods && (selected === null || !canPay)}
      busy={payment.busy}
      busyText={payment.busyText}
      describedBy={hasSavedMethods && (selected === null || !canPay) ? noteId : undefined}
    >
      {hasSavedMethods ? `Pay ${sum}` : 'Continue'}
    </Button>
  )

  return (
    <form className={styles.form} onSubmit={submit}>
      {hasSavedMethods && (
        <MethodChoice
          methods={methods}
          fees={intent.fees}
          currencySymbol={symbolOf(intent)}
          value={selected?.id ?? null}
          onChange={select}
          disabled={payment.busy}
        />
      )}
      {hasSavedMethods && onNewCard && (
        <div className={styles.link}>
          <Button kind="plain" disabled={payment.busy} onPress={onNewCard}>
            New Payment Method
          </Button>
        </div>
      )}
      {asksEmail && <ReceiptEmail value={email} onChange={setEmail} disabled={payment.busy} />}
      <ErrorText kind="box">{payment.error}</ErrorText>
      {hasSavedMethods ? (
        button
      ) : (
        <FirstMethod intent={intent} takesAccounts={takesAccounts}>
          {button}
        </FirstMethod>
      )}
      <PaymentNotice {...payment} />
      {hasSavedMethods && <SubmitNote id={noteId} missing={[selected === null && 'a payment method', !canPay && 'a valid email']} />}
      {details.paymentTypeDisclaimer !== null && <p className={styles.small}>{details.paymentTypeDisclaimer}</p>}
    </form>
  )
}
