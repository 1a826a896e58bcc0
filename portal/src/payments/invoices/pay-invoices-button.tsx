import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { BULK_PAY_PATH } from '../../shell/navigation/paths.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { Button } from '../../ui/button/button.tsx'
import { messageWithPayment } from '../outcome/payment-error.ts'
import { createPaymentIntent } from './payment-intent.data.ts'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './pay-invoices-button.module.css'

/**
 * A button that creates a payment intent for several invoices on the server and opens the bulk payment page (INV-03). Nothing is paid yet.
 */
export const PayInvoicesButton = ({ invoiceIds, children }: { invoiceIds: number[]; children: ReactNode }) => {
  const { busy, error, submit } = useSubmit(messageWithPayment)
  const navigate = useNavigate()
  const pay = async (): Promise<unknown> => {
    const { id } = await createPaymentIntent(invoiceIds)
    await navigate(BULK_PAY_PATH, { state: { id } })
    return NAVIGATING
  }
  return (
    <div className={styles.pay}>
      <ErrorText>{error}</ErrorText>
      <Button disabled={invoiceIds.length === 0} busy={busy} busyText="Opening…" onPress={() => submit(pay)}>
        {children}
      </Button>
    </div>
  )
}
