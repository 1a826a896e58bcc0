import { INTENT_STATUS, UNANSWERED_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { Page } from '../../shell/page.tsx'
import { isDefiniteFailure } from '../../payments/outcome/payment-error.ts'
import { useAskAgain } from '../../payments/outcome/use-ask-again.ts'
import { broadcastPaid } from '../../payments/outcome/payment-broadcast.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { resultQuery } from './bulk-payment.data.ts'
import { processingText } from '../../payments/checkout/processing-text.ts'
import { receiptText } from '../../payments/checkout/payment-done.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'

const TRY_LATER = 'Please try again later. If the problem persists, contact support'

/** `/payment-result`: reports the return parameters of the bank to the server and shows the payment's status (PR-01). */
export const PaymentResultPage = () => {
  const [query] = useSearchParams()
  const returnParameters = useMemo(
    () => ({
      paymentIntent: query.get('payment_intent'),
      paymentIntentClientSecret: query.get('payment_intent_client_secret'),
      sourceType: query.get('source_type'),
      reqUid: query.get('req_uid'),
    }),
    [query],
  )
  const { data, error, refetch } = useQuery(resultQuery(returnParameters))
  const isPaid = data?.status === INTENT_STATUS.paid
  const isUnanswered = data === undefined && error !== null && !isDefiniteFailure(error)
  useAskAgain(isUnanswered ? refetch : null)
  useEffect(() => {
    if (isPaid) broadcastPaid()
  }, [isPaid])

  if (data === undefined && error === null) {
    return (
      <Page title="Payment">
        <Spinner label="Loading your payment" />
      </Page>
    )
  }
  if (isPaid) {
    return (
      <PaymentOutcome
        title="Payment Successful"
        tone="good"
        texts={['Thank you. Your payment was received.', receiptText(data.payment?.email ?? null)]}
        payment={data.payment}
      />
    )
  }
  if (data?.status === INTENT_STATUS.failed || isDefiniteFailure(error)) {
    return <PaymentOutcome title="Payment Failed" tone="bad" texts={[data?.error ?? '', TRY_LATER]} />
  }
  if (data === undefined) return <PaymentOutcome title="Payment" tone="pending" texts={[UNANSWERED_TEXT]} />
  const { payment } = data
  return <PaymentOutcome title="Payment processing" tone="pending" texts={[processingText(payment)]} payment={payment} />
}
