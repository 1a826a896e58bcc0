import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useEffect, useRef, useState } from 'react'
import { panelOf } from '../../payments/providers/registry.ts'
import { paymentErrorText } from '../../payments/payment-error.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { FrameForm } from './frame-form.tsx'
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
  /** The payment that this tab was redirected to the bank for; null when it does not come back from there. */
  readonly redirectedPayment: RedirectedPayment | null
}

/** `/pay/{token}`: one invoice and the form that pays it, without sign-in (SP-01). */
export const InvoicePaymentPage = ({ token, redirectedPayment }: InvoicePaymentPageProps) => {
  const { invoice, failure, hasUnreportedFailure, reload } = useInvoice(token)
  const brand = useInvoiceBrand(invoice)
  const [paid, setPaid] = useState<RedirectedPayment | null>(null)
  const [wasFormShown, setWasFormShown] = useState(false)
  // After the return from the bank the server's status decides whether the success text is shown.
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
  const { loadCardEntry, loadFrame } = panelOf(invoice.paymentType) ?? {}
  const form = {
    token,
    initialError:
      (redirectedPayment !== null || hasUnreportedFailure) && invoice.paymentStatus === INTENT_STATUS.failed
        ? (invoice.paymentError ?? '')
        : null,
    onPaid: (email: string) => setPaid({ paid: totalText(invoice), email }),
    reloadInvoice: reload,
  }
  if (status === null && !wasFormShown) setWasFormShown(true)
  return (
    <PayLayout title={`Pay ${invoice.InvoiceNumber}`} brand={brand}>
      <InvoiceSummary invoice={invoice} />
      {status === null && invoice.isFrame && loadFrame !== undefined && <FrameForm {...form} loadFrame={loadFrame} />}
      {status === null && !invoice.isFrame && loadCardEntry !== undefined && (
        <PayForm {...form} invoice={invoice} loadCardEntry={loadCardEntry} />
      )}
      {status !== null && (
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
  // The submit button, which had the focus, is no longer there.
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
