import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useEffect, useRef, useState } from 'react'
import { payRefusal } from '../../payments/payment-error.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { InvoiceSummary, totalText } from './invoice-summary.tsx'
import { PayForm } from './pay-form.tsx'
import { PayFrame } from './pay-layout.tsx'
import styles from './pay-page.module.css'
import { payStatus } from './pay-status.ts'
import type { Leaving } from './redirected-payment.ts'
import { useBrandOf } from './use-invoice-brand.ts'
import { useInvoice } from './use-invoice.ts'

interface InvoicePaymentPageProps {
  readonly token: string
  /** What was being paid when the browser left for a confirmation from which it now comes back; null on any other way here. */
  readonly leaving: Leaving | null
}

/** `/pay/{token}`: one invoice, and the form that pays it; whoever has the link needs no sign-in (payments.md §2). */
export const InvoicePaymentPage = ({ token, leaving }: InvoicePaymentPageProps) => {
  const { invoice, failure, isUntold, ask } = useInvoice(token)
  const brand = useBrandOf(invoice)
  const [paid, setPaid] = useState<Leaving | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  // Back from a confirmation: what the server says became of it is told as if one had never left.
  const done = paid ?? (leaving !== null && invoice?.paymentStatus === INTENT_STATUS.paid ? leaving : null)

  if (invoice === null) {
    return (
      <PayFrame title="Pay invoice" brand={brand}>
        {failure === null ? <Spinner label="Loading the invoice" /> : <NotLoaded failure={failure} onAgain={() => void ask()} />}
      </PayFrame>
    )
  }
  if (done !== null) {
    return (
      <PayFrame title="Payment Successful" brand={brand}>
        <Success paid={done} brandName={invoice.brandName} />
      </PayFrame>
    )
  }
  const status = payStatus(invoice, wasOpen)
  if (status === null && !wasOpen) setWasOpen(true)
  return (
    <PayFrame title={`Pay ${invoice.InvoiceNumber}`} brand={brand}>
      <InvoiceSummary invoice={invoice} />
      {status === null ? (
        <PayForm
          token={token}
          invoice={invoice}
          failedWith={
            (leaving !== null || isUntold) && invoice.paymentStatus === INTENT_STATUS.failed ? (invoice.paymentError ?? '') : null
          }
          onPaid={(email) => setPaid({ paid: totalText(invoice), email })}
          onUnclear={ask}
        />
      ) : (
        <output className={`${styles.status} ${styles[status.tone]}`}>
          {status.isConfirming && <Spinner size="small" />}
          {status.text}
        </output>
      )}
    </PayFrame>
  )
}

const Success = ({ paid: { paid, email }, brandName }: { paid: Leaving; brandName: string }) => {
  const place = useRef<HTMLOutputElement>(null)
  // The button that had the focus is gone now.
  useEffect(() => place.current?.focus(), [])
  return (
    <output ref={place} className={`${styles.status} ${styles.good} ${styles.lines}`} tabIndex={-1}>
      <span>
        You paid {paid} to {brandName}
      </span>
      {email !== '' && <span>Receipt will be delivered to {email}</span>}
    </output>
  )
}

const NotLoaded = ({ failure, onAgain }: { failure: unknown; onAgain: () => void }) => (
  <>
    <p className={`${styles.status} ${styles.bad}`} role="alert">
      {payRefusal(failure)}
    </p>
    <Unavailable what="The invoice" onAgain={onAgain} />
  </>
)
