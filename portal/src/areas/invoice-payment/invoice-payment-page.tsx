import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useEffect, useRef, useState } from 'react'
import { paymentErrorText } from '../../payments/payment-error.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { InvoiceSummary, totalText } from './invoice-summary.tsx'
import { PayForm } from './pay-form.tsx'
import { PayLayout } from './pay-layout.tsx'
import styles from './pay-page.module.css'
import { payStatus } from './pay-status.ts'
import type { RedirectedPayment } from './redirected-payment.ts'
import { useInvoiceBrand } from './use-invoice-brand.ts'
import { useInvoice } from './use-invoice.ts'

interface InvoicePaymentPageProps {
  readonly token: string
  /** What was being paid when the browser left for a confirmation from which it now comes back; null on any other way here. */
  readonly redirectedPayment: RedirectedPayment | null
}

/** `/pay/{token}`: one invoice, and the form that pays it; whoever has the link needs no sign-in (payments.md §2). */
export const InvoicePaymentPage = ({ token, redirectedPayment }: InvoicePaymentPageProps) => {
  const { invoice, failure, hasUnreportedFailure, reload } = useInvoice(token)
  const brand = useInvoiceBrand(invoice)
  const [paid, setPaid] = useState<RedirectedPayment | null>(null)
  const [wasFormShown, setWasFormShown] = useState(false)
  // Back from a confirmation: what the server says became of it is told as if one had never left.
  const completedPayment = paid ?? (redirectedPayment !== null && invoice?.paymentStatus === INTENT_STATUS.paid ? redirectedPayment : null)

  if (invoice === null) {
    return (
      <PayLayout title="Pay invoice" brand={brand}>
        {failure === null ? <Spinner label="Loading the invoice" /> : <LoadError failure={failure} onRetry={() => void reload()} />}
      </PayLayout>
    )
  }
  if (completedPayment !== null) {
    return (
      <PayLayout title="Payment Successful" brand={brand}>
        <Success paid={completedPayment} brandName={invoice.brandName} />
      </PayLayout>
    )
  }
  const status = payStatus(invoice, wasFormShown)
  if (status === null && !wasFormShown) setWasFormShown(true)
  return (
    <PayLayout title={`Pay ${invoice.InvoiceNumber}`} brand={brand}>
      <InvoiceSummary invoice={invoice} />
      {status === null ? (
        <PayForm
          token={token}
          invoice={invoice}
          initialError={
            (redirectedPayment !== null || hasUnreportedFailure) && invoice.paymentStatus === INTENT_STATUS.failed
              ? (invoice.paymentError ?? '')
              : null
          }
          onPaid={(email) => setPaid({ paid: totalText(invoice), email })}
          onOutcomeUnknown={reload}
        />
      ) : (
        <output className={`${styles.status} ${styles[status.tone]}`}>
          {status.isConfirming && <Spinner size="small" />}
          {status.text}
        </output>
      )}
    </PayLayout>
  )
}

const Success = ({ paid: { paid, email }, brandName }: { paid: RedirectedPayment; brandName: string }) => {
  const output = useRef<HTMLOutputElement>(null)
  // The button that had the focus is gone now.
  useEffect(() => output.current?.focus(), [])
  return (
    <output ref={output} className={`${styles.status} ${styles.good} ${styles.lines}`} tabIndex={-1}>
      <span>
        You paid {paid} to {brandName}
      </span>
      {email !== '' && <span>Receipt will be delivered to {email}</span>}
    </output>
  )
}

const LoadError = ({ failure, onRetry }: { failure: unknown; onRetry: () => void }) => (
  <>
    <p className={`${styles.status} ${styles.bad}`} role="alert">
      {paymentErrorText(failure)}
    </p>
    <Unavailable subject="The invoice" onRetry={onRetry} />
  </>
)
