import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useState } from 'react'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import type { ProviderPanel } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import styles from './pay-page.module.css'
import { PaymentFailed } from './payment-failed.tsx'

export interface FrameFormProps {
  readonly token: string
  readonly loadFrame: NonNullable<ProviderPanel['loadFrame']>
  /** The error of a failed payment that was not shown yet, "" without a reason; null when there is none. */
  readonly initialError: string | null
  readonly onPaid: (payment: null, email: string) => void
  /** Loads the invoice again: only the server knows whether money moved. */
  readonly reloadInvoice: () => Promise<InvoicePayment | null>
}

/** The provider's own page, in which the card that pays an invoice is entered (SP-03). */
export const FrameForm = ({ token, loadFrame, initialError, onPaid, reloadInvoice }: FrameFormProps) => {
  const module = useProviderModule(loadFrame)
  const [error, setError] = useState(initialError)

  const reload = async (): Promise<void> => {
    const invoice = await reloadInvoice()
    setError(invoice?.paymentStatus === INTENT_STATUS.failed ? (invoice.paymentError ?? '') : null)
    if (invoice?.paymentStatus !== INTENT_STATUS.paid) return
    broadcastPaid()
    // The address for the receipt was typed in the frame, and is not known here.
    onPaid(null, '')
  }
  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { PaymentFrame } = module.value
  return (
    <div className={styles.form}>
      {error !== null && <PaymentFailed why={error} />}
      <PaymentFrame target={{ payToken: token }} onDone={reload} />
    </div>
  )
}
