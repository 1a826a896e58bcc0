import { INTENT_STATUS, PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAccount } from '../../shell/account.tsx'
import { AskFailed } from '../../api/call-api.ts'
import { formatMoney } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { dropPayKey } from '../../payments/idempotency-key.ts'
import { onPaid } from '../../payments/payment-broadcast.ts'
import { invoicesPath } from '../../shell/sections.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { intentQuery } from './bulk-payment.data.ts'
import { Outcome } from './payment-outcome.tsx'
import { PayForm } from './pay-form.tsx'

const TITLE = 'Payment'
const OOPS = 'Oops, something went wrong'

/** `/bulk-pay`: pays the invoices of the intent that the navigation brought along; without one there is nothing to pay here. */
export const BulkPaymentPage = () => {
  const { look } = useAccount()
  const { state } = useLocation()
  const id = intentIn(state)
  return id === null ? <Navigate to={invoicesPath(look)} replace /> : <Intent key={id} id={id} />
}

const Intent = ({ id }: { id: string }) => {
  const { look, settings } = useAccount()
  const { data: intent, error, refetch } = useQuery(intentQuery(id))
  const [isTryingAgain, setTryingAgain] = useState(false)
  useEffect(() => onPaid(() => void refetch()), [refetch])

  if (intent === undefined) {
    const isGone = error instanceof AskFailed && error.status === 404
    if (isGone) return <Navigate to={invoicesPath(look)} replace />
    return (
      <Page title={TITLE}>
        {error === null ? <Spinner label="Loading your payment" /> : <Unavailable what="Your payment" onAgain={() => void refetch()} />}
      </Page>
    )
  }
  if (intent.status === INTENT_STATUS.invalid) return <Navigate to={invoicesPath(look)} replace />
  if (intent.status === INTENT_STATUS.paid) {
    const paid = `${formatMoney(intent.total, intent.currencySymbol.symbol)} ${intent.currency}`
    return (
      <Outcome
        title="Payment Successful"
        tone="good"
        texts={[`You paid ${paid} to ${intent.companyName}`, receiptText(intent.email)]}
        receiptId={intent.receiptId}
      >
        {settings.invoiceLabel.plural}
      </Outcome>
    )
  }
  if (intent.status === INTENT_STATUS.processing) {
    // Should it fail later, the form is not there to say so.
    if (isTryingAgain) setTryingAgain(false)
    return (
      <Outcome title="Payment processing" tone="wait" texts={[PROCESSING_TEXT]}>
        {settings.invoiceLabel.plural}
      </Outcome>
    )
  }
  if (intent.status === INTENT_STATUS.failed && !isTryingAgain) {
    const tryAgain = (): void => {
      // The page may have been loaded anew before it heard of the failure.
      dropPayKey(id)
      setTryingAgain(true)
    }
    return (
      <Outcome title="Payment Failed" tone="bad" texts={[intent.error ?? OOPS]} onAgain={tryAgain}>
        {settings.invoiceLabel.plural}
      </Outcome>
    )
  }
  return (
    <Page title={TITLE}>
      <PayForm intent={intent} onTried={async () => (await refetch()).data?.status} onBegun={() => setTryingAgain(true)} />
    </Page>
  )
}

const receiptText = (email: string | null): string => (email ? `Receipt will be delivered to ${email}` : '')

/** The navigation state is `{ id }`, the intent's; anything else counts as none. */
const intentIn = (state: unknown): string | null => {
  if (typeof state !== 'object' || state === null || !('id' in state)) return null
  return typeof state.id === 'string' && state.id !== '' ? state.id : null
}
