import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { isStale, payRefusal } from '../../payments/payment-error.ts'
import { dropPayKey } from '../../payments/idempotency-key.ts'
import { tellPaid } from '../../payments/payment-broadcast.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { LEAVING, type Sending, useSending } from '../../ui/form/use-submit.ts'
import { payIntent } from './bulk-payment.data.ts'

type Payment = Parameters<typeof payIntent>[1]

export interface BulkPayment extends Omit<Sending, 'send'> {
  /** Pays once; `make` gives what pays, and may fail itself. */
  readonly pay: (make: () => Promise<Payment>) => void
}

/**
 * Pays an intent and goes on as the answer says: to the bank for a confirmation, or to what became of it.
 * @param onTried  asks the server how the intent stands, and gives its status
 * @param onBegun  told when a try begins
 */
export const usePayment = (
  intent: PaymentIntent,
  { paymentType, scriptUrl }: PaymentDetails,
  onTried: () => Promise<number | undefined>,
  onBegun: () => void,
): BulkPayment => {
  const { send, ...state } = useSending(payRefusal)

  const attempt = async (make: () => Promise<Payment>): Promise<unknown> => {
    onBegun()
    const payment = await make()
    try {
      const answer = await payIntent(intent, { ...payment, paymentType })
      if (answer.status === 'requires_action') return goOn(answer.redirectToUrl, scriptUrl)
      if (answer.status === 'succeeded') tellPaid()
      return await onTried()
    } catch (failure) {
      // Whether money moved, and who was quicker, is known to the server alone; a decline leaves the form as it is.
      if (isStale(failure) && (await onTried()) === INTENT_STATUS.failed) dropPayKey(intent.id)
      throw failure
    }
  }
  return { ...state, pay: (make) => send(() => attempt(make)) }
}

const goOn = (target: string | null, scriptUrl: string | null): typeof LEAVING => {
  const way = safeRedirect(target, scriptUrl)
  if (way === null) throw new Error('The page for your confirmation cannot be opened. Please contact support.')
  location.assign(way)
  return LEAVING
}
