import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { isPossiblyStale, methodErrorText } from '../../payments/payment-error.ts'
import { clearIdempotencyKey } from '../../payments/idempotency-key.ts'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { NAVIGATING, type Submission, useSubmit } from '../../ui/form/use-submit.ts'
import { payIntent } from './bulk-payment.data.ts'

type Payment = Parameters<typeof payIntent>[1]

export interface BulkPayment extends Omit<Submission, 'submit'> {
  /** Submits the payment that `createPayment` returns. Errors of `createPayment` are shown as well. */
  readonly pay: (createPayment: () => Promise<Payment>) => void
}

/**
 * Pays an intent and continues as the response says: with a redirect to the bank, or with the result.
 * @param reloadStatus loads the intent again and returns its status
 * @param onSubmit called when an attempt starts
 */
export const useBulkPayment = (
  intent: PaymentIntent,
  { paymentType, scriptUrl }: PaymentDetails,
  reloadStatus: () => Promise<number | undefined>,
  onSubmit: () => void,
): BulkPayment => {
  const { submit, ...state } = useSubmit(methodErrorText)

  const payOnce = async (createPayment: () => Promise<Payment>): Promise<unknown> => {
    onSubmit()
    const payment = await createPayment()
    try {
      const response = await payIntent(intent, { ...payment, paymentType })
      if (response.status === 'requires_action') return redirectToConfirmation(response.redirectToUrl, scriptUrl)
      if (response.status === 'succeeded') broadcastPaid()
      return await reloadStatus()
    } catch (failure) {
      // Only the server knows whether money moved or another tab was faster. A decline leaves the form as it is.
      if (isPossiblyStale(failure) && (await reloadStatus()) === INTENT_STATUS.failed) clearIdempotencyKey(intent.id)
      throw failure
    }
  }
  return { ...state, pay: (createPayment) => submit(() => payOnce(createPayment)) }
}

const redirectToConfirmation = (target: string | null, scriptUrl: string | null): typeof NAVIGATING => {
  const url = safeRedirect(target, scriptUrl)
  if (url === null) throw new Error('The confirmation page of your bank cannot be opened. Please contact support.')
  location.assign(url)
  return NAVIGATING
}
