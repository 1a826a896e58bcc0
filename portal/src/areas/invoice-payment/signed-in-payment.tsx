import type { BrandSettings } from '@counterfoil/contract/brands'
import { invoices } from '@counterfoil/contract/invoices'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { InvoicePayment, LinkPayer } from '@counterfoil/contract/invoice-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { QueryClientProvider } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { formatMoney } from '../../format/format.ts'
import { storeCustomerId } from '../../api/session.ts'
import { createQueryClient } from '../../api/query-client.ts'
import { DueNote } from '../../payments/checkout/due-note.tsx'
import { OpenInvoice } from '../../payments/invoices/invoice-actions.tsx'
import { bankSaving } from '../../payments/checkout/bank-saving.ts'
import { feeOf } from '../../payments/checkout/fee-text.ts'
import { defaultMethod, MethodChoice, NEW_CARD } from '../../payments/checkout/method-choice.tsx'
import checkout from '../../payments/checkout/checkout.module.css'
import { PaymentLines } from '../../payments/checkout/payment-lines.tsx'
import { isEmailOrEmpty, ReceiptEmail } from '../../payments/checkout/receipt-email.tsx'
import { SubmitNote } from '../../payments/checkout/submit-note.tsx'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { type PaymentOutcome, usePaymentOutcome } from '../../payments/outcome/use-payment-outcome.ts'
import type { SavedMethod, SavedMethodsModule } from '../../payments/providers/panel.ts'
import { storedMethodsOf } from '../../payments/providers/stored-methods-registry.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { PAYMENT_TYPES_PATH } from '../../shell/navigation/paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { useResource } from '../../ui/use-resource.ts'
import { payWithStoredMethod } from './invoice-payment.data.ts'
import { periodText } from './invoice-summary.tsx'
import type { LinkPayment } from './link-payment.ts'
import { PaymentFailed } from './payment-failed.tsx'

export { SignedInDone, SignedInStatus, WayBack } from './signed-in-done.tsx'

interface SignedInPaymentProps extends LinkPayment {
  readonly invoice: InvoicePayment
  readonly payer: LinkPayer
  /** Null until it is loaded. */
  readonly brand: BrandSettings | null
  /** The form of a card that is not stored, as everybody has it; null where the provider has none on this page. */
  readonly newCardForm: ReactNode
  /** Whether that form is paying just now. */
  readonly isCardBusy: boolean
}

const METHODS = 'Your payment methods'

/** The invoice of a payment link for a signed-in user of its customer: the stored methods, the default chosen, and a new card (EASE-02). */
export const SignedInPayment = (props: SignedInPaymentProps) => {
  const module = useProviderModule(storedMethodsOf(props.invoice.paymentType)?.loadSavedMethods ?? null)
  return module.state === 'ready' ? <Methods {...props} module={module.value} /> : <ResourceStatus resource={module} subject={METHODS} />
}

/** Loads the stored methods, then shows the checkout; when they cannot be loaded, a new card alone can pay. */
const Methods = ({ module, ...props }: SignedInPaymentProps & { module: SavedMethodsModule }) => {
  const [load] = useState(() => () => module.fetchSavedMethods(new AbortController().signal))
  const methods = useResource(load)
  if (methods.state === 'loading') return <ResourceStatus resource={methods} subject={METHODS} />
  return (
    <>
      {methods.state === 'failed' && <ResourceStatus resource={methods} subject={METHODS} />}
      <Checkout {...props} methods={methods.state === 'ready' ? methods.value : []} />
    </>
  )
}

/** The choice of a stored method or a new card, its form, and the payment summary with the fee of what is chosen. */
const Checkout = ({ methods, ...props }: SignedInPaymentProps & { methods: readonly SavedMethod[] }) => {
  const { invoice, payer, brand, newCardForm, isCardBusy } = props
  const [chosen, setChosen] = useState(() => defaultMethod(methods)?.id ?? NEW_CARD)
  const [email, setEmail] = useState(payer.receiptEmail ?? '')
  const symbol = invoice.currencySymbol.symbol
  const method = methods.find(({ id }) => id === chosen)
  const fee = feeOf(invoice.fees, method?.kind ?? 'card')
  const period = periodText(invoice)
  const saving = bankSaving(invoice.fees, symbol)
  const total = fee?.total ?? invoice.invoiceAmount
  const receipt = invoice.enabledReceipt ? email.trim() : ''
  const payment = usePaymentOutcome({
    subject: invoice.uid,
    lastPaymentId: invoice.lastPaymentId,
    scriptUrl: invoice.scriptUrl,
    readStanding: props.readStanding,
    onAnswer: (result) => props.onAnswer(result, formatMoney(total, symbol), receipt),
    onRedirect: (result) => props.onRedirect(result, formatMoney(total, symbol), receipt),
    initialError: props.initialError,
  })
  const pay = ({ id: cardId, type }: SavedMethod): void =>
    payment.pay(
      async () => (headers) =>
        payWithStoredMethod(props.token, invoice, { cardId, type, shownTotal: total, ...(receipt !== '' && { email: receipt }) }, headers),
    )
  const choose = (id: string): void => {
    payment.clearError()
    setChosen(id)
  }
  return (
    <div className={checkout.columns}>
      <Tile title={methods.length === 0 ? 'New card' : 'Pay with'}>
        <div className={checkout.form}>
          {methods.length > 0 && (
            <MethodChoice
              methods={methods}
              fees={invoice.fees}
              currencySymbol={symbol}
              value={chosen}
              onChange={choose}
              offersNewCard={newCardForm !== null}
              disabled={payment.busy || isCardBusy}
            />
          )}
          {payer.addsBankAccounts && methods.every(({ kind }) => kind === 'card') && (
            <p className={`${checkout.next} ${checkout.hint}`}>
              {saving === '' ? 'To pay' : `Save ${saving}: to pay`}{' '}
              {formatMoney(feeOf(invoice.fees, 'bank')?.total ?? invoice.invoiceAmount, symbol)} from a bank account, add it in{' '}
              <a href={PAYMENT_TYPES_PATH} onClick={() => storeCustomerId(invoice.customer)}>
                Payment Types
              </a>
              .
            </p>
          )}
          {method === undefined ? (
            newCardForm
          ) : (
            <StoredMethodForm
              asksEmail={invoice.enabledReceipt}
              email={email}
              onEmail={setEmail}
              total={formatMoney(total, symbol)}
              payment={payment}
              onPay={() => pay(method)}
            />
          )}
        </div>
      </Tile>
      <Tile
        title="Payment summary"
        aside={
          brand !== null &&
          isAnySectionOpen(invoices.document.sections, brand) && <InvoicePdf id={payer.invoiceId} number={invoice.InvoiceNumber} />
        }
      >
        <PaymentLines
          invoices={[
            {
              invoiceNumber: invoice.InvoiceNumber,
              invoiceAmount: invoice.invoiceAmount,
              note: (
                <>
                  {period !== null && `${period} · `}
                  <DueNote day={invoice.invoiceDueDate} isOverdue={invoice.invoiceStatus === INVOICE_STATUS.overdue} />
                </>
              ),
            },
          ]}
          fee={fee}
          total={total}
          currencySymbol={symbol}
        />
      </Tile>
    </div>
  )
}

/** A button that opens the invoice's PDF, with a query client of its own, which this page lacks. */
const InvoicePdf = (invoice: { readonly id: number; readonly number: string }) => {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <span className={checkout.aside}>
        <OpenInvoice invoice={invoice} text="View PDF" />
      </span>
    </QueryClientProvider>
  )
}

interface StoredMethodFormProps {
  readonly asksEmail: boolean
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly total: string
  readonly payment: PaymentOutcome
  readonly onPay: () => void
}

/** The form that pays with the chosen stored method: the receipt's address where one is asked, and the button. */
const StoredMethodForm = ({ asksEmail, email, onEmail, total, payment, onPay }: StoredMethodFormProps) => {
  const canPay = !asksEmail || isEmailOrEmpty(email.trim())
  const noteId = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (canPay) onPay()
  }
  return (
    <form className={checkout.form} onSubmit={submit} noValidate aria-busy={payment.busy}>
      {asksEmail && (
        <ReceiptEmail
          value={email}
          onChange={(value) => {
            payment.clearError()
            onEmail(value)
          }}
          disabled={payment.busy}
        />
      )}
      {payment.error !== null && <PaymentFailed why={payment.error} />}
      <Button
        type="submit"
        size="large"
        wide
        busy={payment.busy}
        busyText={payment.busyText}
        disabled={!canPay}
        describedBy={canPay ? undefined : noteId}
      >
        {`Pay ${total}`}
      </Button>
      <PaymentNotice {...payment} />
      <SubmitNote id={noteId} missing={[!canPay && 'a valid email']} />
    </form>
  )
}
