import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { type ReactNode, useEffect, useRef } from 'react'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import type { ProviderPanel } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import styles from './bulk-payment.module.css'

interface FramePaymentProps {
  readonly intent: PaymentIntent
  readonly loadFrame: NonNullable<ProviderPanel['loadFrame']>
  readonly reloadStatus: () => Promise<number | undefined>
  /** Called when the frame is shown; from then on a decline is shown with it. */
  readonly onSubmit: () => void
  readonly onFailed: () => void
  /** Above the frame: another way to pay. */
  readonly children: ReactNode
}

/** A card that is used once, entered in the provider's own page (BP-03). */
export const FramePayment = ({ intent, loadFrame, reloadStatus, onSubmit, onFailed, children }: FramePaymentProps) => {
  const module = useProviderModule(loadFrame)
  const submit = useRef(onSubmit)
  useEffect(() => submit.current(), [])

  const reload = async (): Promise<void> => {
    if ((await reloadStatus()) === INTENT_STATUS.paid) broadcastPaid()
  }
  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  const { PaymentFrame } = module.value
  return (
    <div className={styles.form}>
      {children}
      <PaymentFrame target={{ sessionId: intent.sessionId }} onDone={reload} onFailed={onFailed} />
    </div>
  )
}
