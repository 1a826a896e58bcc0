import { INTENT_STATUS, PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useAccount } from '../../shell/account.tsx'
import { Page } from '../../shell/page.tsx'
import { isDefinite } from '../../payments/payment-error.ts'
import { tellPaid } from '../../payments/payment-broadcast.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { resultQuery } from './bulk-payment.data.ts'
import { Outcome } from './payment-outcome.tsx'

const TRY_LATER = 'Please try again later. If the problem persists, contact support'

/** `/payment-result`: where the bank sends people back to. What the address says is only reported; the server says what became of it. */
export const PaymentResultPage = () => {
  const { settings } = useAccount()
  const [query] = useSearchParams()
  const comeBack = useMemo(
    () => ({
      paymentIntent: query.get('payment_intent'),
      paymentIntentClientSecret: query.get('payment_intent_client_secret'),
      sourceType: query.get('source_type'),
      reqUid: query.get('req_uid'),
    }),
    [query],
  )
  const { data, error, refetch } = useQuery(resultQuery(comeBack))
  const isPaid = data?.status === INTENT_STATUS.paid
  useEffect(() => {
    if (isPaid) tellPaid()
  }, [isPaid])

  const back = settings.invoiceLabel.plural
  if (data === undefined && error === null) {
    return (
      <Page title="Payment">
        <Spinner label="Loading what became of your payment" />
      </Page>
    )
  }
  if (isPaid) {
    return (
      <Outcome title="Payment Successful" tone="good" texts={['Thank you. Your payment was received.']} receiptId={data.receiptId}>
        {back}
      </Outcome>
    )
  }
  if (data?.status === INTENT_STATUS.failed || isDefinite(error)) {
    return (
      <Outcome title="Payment Failed" tone="bad" texts={[data?.error ?? '', TRY_LATER]}>
        {back}
      </Outcome>
    )
  }
  return (
    <Outcome
      title="Payment processing"
      tone="wait"
      texts={[PROCESSING_TEXT]}
      onAgain={data === undefined ? () => void refetch() : undefined}
    >
      {back}
    </Outcome>
  )
}
