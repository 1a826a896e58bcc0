import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { type PaymentOutcome, usePaymentOutcome } from '../../payments/outcome/use-payment-outcome.ts'
import { payIntent } from './bulk-payment.data.ts'
import type { IntentState } from './use-intent.ts'

type Payment = Parameters<typeof payIntent>[1]

export interface BulkPayment extends Omit<PaymentOutcome, 'pay'> {
  /** Submits the payment that `createPayment` returns, of the total that is shown. Errors of `createPayment` are shown as well. */
  readonly pay: (shownTotal: number, createPayment: () => Promise<Payment>) => void
}

/**
 * A function that pays an intent and continues as the response says, with a redirect to the bank or with the result; and its state on the
 * screen.
 * @param onSubmit called when an attempt starts
 */
export const useBulkPayment = (
  { intent, readStanding, showPayment }: Pick<IntentState, 'readStanding' | 'showPayment'> & { readonly intent: PaymentIntent },
  { paymentType, scriptUrl }: Pick<PaymentDetails, 'paymentType' | 'scriptUrl'>,
  onSubmit: () => void,
): BulkPayment => {
  const { pay, ...outcome } = usePaymentOutcome({
    subject: intent.id,
    lastPaymentId: intent.lastPaymentId,
    scriptUrl,
    readStanding,
    onAnswer: showPayment,
  })
  const payByForm: BulkPayment['pay'] = (shownTotal, createPayment) =>
    pay(async () => {
      onSubmit()
      const payment = await createPayment()
      return (headers) => payIntent(intent, { ...payment, paymentType, shownTotal }, headers)
    })
  return { ...outcome, pay: payByForm }
}
