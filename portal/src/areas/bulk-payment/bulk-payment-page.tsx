import { INTENT_STATUS, UNANSWERED_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAccount } from '../../shell/account/account.tsx'
import { ApiError } from '../../api/call-api.ts'
import { formatMoney } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { endFailedPayment } from '../../payments/outcome/sent-payment.ts'
import { BackLink, inSentence } from '../../payments/checkout/back-link.tsx'
import { intentIdOf } from '../../payments/checkout/back-to-payment.tsx'
import { splitLines } from '../../payments/checkout/fee-lines.ts'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { invoicesPath } from '../../shell/navigation/sections.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { processingText } from '../../payments/checkout/processing-text.ts'
import { receiptText } from '../../payments/checkout/payment-done.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'
import { GENERIC_ERROR, notChargedText } from '../../payments/outcome/payment-error.ts'
import { PayForm } from './pay-form.tsx'
import { useIntent } from './use-intent.ts'

const TITLE = 'Payment'

/** `/bulk-pay`: pays the invoices of the intent in the navigation state. Redirects to the invoices without one (BP-01). */
export const BulkPaymentPage = () => {
  const { branding } = useAccount()
  const { state } = useLocation()
  const id = intentIdOf(state)
  return id === null ? <Navigate to={invoicesPath(branding)} replace /> : <IntentPayment key={id} id={id} />
}

/**
 * What the intent's status asks for: the form to pay, or the page that says paid, processing or failed. An invalid one leads to the
 * invoices.
 */
const IntentPayment = ({ id }: { id: string }) => {
  const { branding, settings } = useAccount()
  const { intent, error, isUnanswered, readStanding, showPayment } = useIntent(id)
  const [isRetrying, setRetrying] = useState(false)
  const [hasFrameFailed, setFrameFailed] = useState(false)

  if (intent === undefined) {
    const isNotFound = error instanceof ApiError && error.code === 'not_found'
    if (isNotFound) return <Navigate to={invoicesPath(branding)} replace />
    if (isUnanswered) return <PaymentOutcome title={TITLE} tone="pending" texts={[UNANSWERED_TEXT]} />
    return (
      <Page title={TITLE}>
        {error === null ? (
          <Spinner label="Loading your payment" />
        ) : (
          <Unavailable subject="Your payment" onRetry={() => void readStanding()} />
        )}
      </Page>
    )
  }
  if (intent.status === INTENT_STATUS.invalid) return <Navigate to={invoicesPath(branding)} replace />
  if (intent.status === INTENT_STATUS.paid) {
    const { symbol } = intent.currencySymbol
    // A symbol such as CA$ names its currency; EUR is it.
    const namesCurrency = /\p{L}\p{Sc}/u.test(symbol) || symbol.trim() === intent.currency
    const paidText = `${formatMoney(intent.total, symbol)}${namesCurrency ? '' : ` ${intent.currency}`}`
    return (
      <PaymentOutcome
        title="Payment Successful"
        tone="good"
        texts={[`You paid ${paidText} to ${intent.companyName}`, receiptText(intent.email)]}
        payment={intent.payment}
      />
    )
  }
  if (intent.status === INTENT_STATUS.processing) {
    // If it fails later, the failure page must be shown.
    if (isRetrying) setRetrying(false)
    const { payment } = intent
    return <PaymentOutcome title="Payment processing" tone="pending" texts={[processingText(payment)]} payment={payment} />
  }
  if (hasFrameFailed || (intent.status === INTENT_STATUS.failed && !isRetrying)) {
    const retry = (): void => {
      setFrameFailed(false)
      // The page may have been reloaded before it learned of the failure.
      endFailedPayment(id, intent.lastPaymentId)
      setRetrying(true)
    }
    return (
      <PaymentOutcome
        title="Payment Failed"
        tone="bad"
        texts={[intent.error ?? GENERIC_ERROR, intent.error === null ? '' : notChargedText(intent.error)]}
        onRetry={retry}
      />
    )
  }
  const labels = invoiceLabels(settings)
  const count = splitLines(intent).invoices.length
  return (
    <>
      <BackLink href={invoicesPath(branding)} invoicesLabel={labels.plural} />
      <Page title={`Pay ${count} ${count === 1 ? inSentence(labels.singular) : inSentence(labels.plural)}`}>
        <PayForm
          intent={intent}
          readStanding={readStanding}
          showPayment={showPayment}
          onSubmit={() => setRetrying(true)}
          onFrameFailed={() => {
            setFrameFailed(true)
            // What it pays may have changed meanwhile.
            void readStanding()
          }}
        />
      </Page>
    </>
  )
}
