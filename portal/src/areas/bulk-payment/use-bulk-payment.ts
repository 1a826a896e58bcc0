import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { isPossiblyStale, paymentErrorText } from '../../payments/payment-error.ts'
import { clearIdempotencyKey } from '../../payments/idempotency-key.ts'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { NAVIGATING, type Submission, useSubmit } from '../../ui/form/use-submit.ts'
import { payIntent } from './bulk-payment.data.ts'

type Payment = Parameters<typeof payIntent>[1]

export interface BulkPayment extends Omit<Submission, 'submit'> {
  /** Pays once; `make` gives what pays, and may fail itself. */
  readonly pay: (createPayment: () => Promise<Payment>) => void
}

/**
 * Pays an intent and goes on as the answer says: to the bank for a confirmation, or to what became of it.
 * @param onOutcomeUnknown  asks the server how the intent stands, and gives its status
 * @param onSubmit  told when a try begins
 */
export const useBulkPayment = (
  intent: PaymentIntent,
  { paymentType, scriptUrl }: PaymentDetails,
  onOutcomeUnknown: () => Promise<number | undefined>,
  onSubmit: () => void,
): BulkPayment => {
  const { submit, ...state } = useSubmit(paymentErrorText)

  const payOnce = async (createPayment: () => Promise<Payment>): Promise<unknown> => {
    onSubmit()
    const payment = await createPayment()
    try {
      const answer = await payIntent(intent, { ...payment, paymentType })
      if (answer.status === 'requires_action') return redirectToConfirmation(answer.redirectToUrl, scriptUrl)
      if (answer.status === 'succeeded') broadcastPaid()
      return await onOutcomeUnknown()
    } catch (failure) {
      // Whether money moved, and who was quicker, is known to the server alone; a decline leaves the form as it is.
      if (isPossiblyStale(failure) && (await onOutcomeUnknown()) === INTENT_STATUS.failed) clearIdempotencyKey(intent.id)
      throw failure
    }
  }
  return { ...state, pay: (createPayment) => submit(() => payOnce(createPayment)) }
}

const redirectToConfirmation = (target: string | null, scriptUrl: string | null): typeof NAVIGATING => {
  const url = safeRedirect(target, scriptUrl)
  if (url === null) throw new Error('The page for your confirmation cannot be opened. Please contact support.')
  location.assign(url)
  return NAVIGATING
}
