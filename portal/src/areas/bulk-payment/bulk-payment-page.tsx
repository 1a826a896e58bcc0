import { INTENT_STATUS, PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAccount } from '../../shell/account.tsx'
import { ApiError } from '../../api/call-api.ts'
import { formatMoney } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { clearIdempotencyKey } from '../../payments/idempotency-key.ts'
import { onPaidElsewhere } from '../../payments/payment-broadcast.ts'
import { useLateSubmit } from '../../payments/use-late-submit.ts'
import { BackLink, inSentence } from '../../payments/checkout/back-link.tsx'
import { intentIdOf } from '../../payments/checkout/back-to-payment.tsx'
import { splitLines } from '../../payments/fee-lines.ts'
import { invoiceLabels } from '../../shell/invoice-labels.ts'
import { invoicesPath } from '../../shell/sections.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { intentQuery } from './bulk-payment.data.ts'
import { receiptText } from '../../payments/checkout/payment-done.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'
import { notChargedText } from '../../payments/payment-error.ts'
import { PayForm } from './pay-form.tsx'

const TITLE = 'Payment'
const OOPS = 'Oops, something went wrong'

/** `/bulk-pay`: pays the invoices of the intent in the navigation state. Redirects to the invoices without one (BP-01). */
export const BulkPaymentPage = () => {
  const { branding } = useAccount()
  const { state } = useLocation()
  const id = intentIdOf(state)
  return id === null ? <Navigate to={invoicesPath(branding)} replace /> : <IntentPayment key={id} id={id} />
}

const IntentPayment = ({ id }: { id: string }) => {
  const { branding, settings } = useAccount()
  const { data: intent, error, refetch } = useQuery(intentQuery(id))
  const [isRetrying, setRetrying] = useState(false)
  const [hasFrameFailed, setFrameFailed] = useState(false)
  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])
  useLateSubmit(id, refetch)

  if (intent === undefined) {
    const isNotFound = error instanceof ApiError && error.code === 'not_found'
    if (isNotFound) return <Navigate to={invoicesPath(branding)} replace />
    return (
      <Page title={TITLE}>
        {error === null ? <Spinner label="Loading your payment" /> : <Unavailable subject="Your payment" onRetry={() => void refetch()} />}
      </Page>
    )
  }
  if (intent.status === INTENT_STATUS.invalid) return <Navigate to={invoicesPath(branding)} replace />
  if (intent.status === INTENT_STATUS.paid) {
    const { symbol } = intent.currencySymbol
    const paidText = `${formatMoney(intent.total, symbol)}${symbol === intent.currency ? '' : ` ${intent.currency}`}`
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
    return <PaymentOutcome title="Payment processing" tone="pending" texts={[PROCESSING_TEXT]} payment={intent.payment} />
  }
  if (hasFrameFailed || (intent.status === INTENT_STATUS.failed && !isRetrying)) {
    const retry = (): void => {
      setFrameFailed(false)
      // The page may have been reloaded before it learned of the failure.
      clearIdempotencyKey(id)
      setRetrying(true)
    }
    return (
      <PaymentOutcome
        title="Payment Failed"
        tone="bad"
        texts={[intent.error ?? OOPS, intent.error === null ? '' : notChargedText(intent.error)]}
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
          reloadStatus={async () => (await refetch()).data?.status}
          onSubmit={() => setRetrying(true)}
          onFrameFailed={() => {
            setFrameFailed(true)
            // What it pays may have changed meanwhile.
            void refetch()
          }}
        />
      </Page>
    </>
  )
}
