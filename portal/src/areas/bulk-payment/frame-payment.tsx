import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { type ReactNode, useEffect, useRef } from 'react'
import { feeFor } from '../../payments/checkout/fee-lines.ts'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import type { ProviderPanel } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './bulk-payment.module.css'
import type { BulkPayment } from './use-bulk-payment.ts'

interface FramePaymentProps {
  readonly intent: PaymentIntent
  readonly loadFrame: NonNullable<ProviderPanel['loadFrame']>
  readonly payment: BulkPayment
  /** Called when the frame is shown; from then on a decline is shown with it. */
  readonly onSubmit: () => void
  readonly onFailed: () => void
  /** Above the frame: another way to pay. */
  readonly children: ReactNode
}

/** The form for a card that is used once, entered in the provider's own page in a frame (BP-03). */
export const FramePayment = ({ intent, loadFrame, payment, onSubmit, onFailed, children }: FramePaymentProps) => {
  const module = useProviderModule(loadFrame)
  const submit = useRef(onSubmit)
  useEffect(() => submit.current(), [])

  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { PaymentFrame } = module.value
  return (
    <div className={styles.form}>
      {/* Nothing else may pay meanwhile. */}
      {!payment.isUnanswered && children}
      <ErrorText kind="box">{payment.error}</ErrorText>
      <PaymentFrame
        target={{ sessionId: intent.sessionId }}
        shownTotal={feeFor(intent, 'card')?.total ?? intent.total}
        onDone={payment.check}
        onFailed={onFailed}
        isCovered={payment.isUnanswered}
        notice={<PaymentNotice {...payment} />}
      />
    </div>
  )
}
