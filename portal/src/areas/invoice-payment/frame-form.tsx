import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useEffect, useRef } from 'react'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { usePaymentOutcome } from '../../payments/outcome/use-payment-outcome.ts'
import type { ProviderPanel } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { cardTotal } from './invoice-payment.data.ts'
import type { LinkPayment } from './link-payment.ts'
import styles from './pay-page.module.css'
import { PaymentFailed } from './payment-failed.tsx'

export interface FrameFormProps extends Pick<LinkPayment, 'token' | 'initialError' | 'readStanding'> {
  readonly invoice: InvoicePayment
  readonly loadFrame: NonNullable<ProviderPanel['loadFrame']>
  /** Whether nobody has answered what became of a payment: meanwhile nothing else may pay. */
  readonly onBusy: (isBusy: boolean) => void
  readonly onPaid: (receiptEmail: string) => void
}

/** The form with the provider's own page in a frame, in which the card that pays an invoice is entered (SP-03). */
export const FrameForm = ({ token, invoice, loadFrame, initialError, onBusy, onPaid, readStanding }: FrameFormProps) => {
  const module = useProviderModule(loadFrame)
  const receiptEmail = useRef('')
  const payment = usePaymentOutcome({
    subject: invoice.uid,
    lastPaymentId: invoice.lastPaymentId,
    readStanding: async () => {
      const standing = await readStanding()
      if (standing?.status === INTENT_STATUS.paid) onPaid(receiptEmail.current)
      return standing
    },
    advice: 'Try another card.',
    initialError,
  })
  useEffect(() => onBusy(payment.isUnanswered), [onBusy, payment.isUnanswered])

  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { PaymentFrame } = module.value
  return (
    <div className={styles.form}>
      {payment.error !== null && <PaymentFailed why={payment.error} />}
      <PaymentFrame
        target={{ payToken: token }}
        shownTotal={cardTotal(invoice)}
        onDone={payment.check}
        onReceipt={(email) => (receiptEmail.current = email)}
        isCovered={payment.isUnanswered}
        notice={<PaymentNotice {...payment} />}
      />
    </div>
  )
}
