import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentResult } from '@counterfoil/contract/kit/payments/pay-form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { readSentPayment } from '../../payments/outcome/sent-payment.ts'
import { READ_TIMEOUT_MS, useAskAgain } from '../../payments/outcome/use-ask-again.ts'
import { useLatePayment } from '../../payments/outcome/use-late-payment.ts'
import type { PaymentStanding } from '../../payments/outcome/use-payment-outcome.ts'
import { onPaidElsewhere } from '../../payments/outcome/payment-broadcast.ts'
import { fetchIntent, intentQuery } from './bulk-payment.data.ts'

export interface IntentState {
  readonly intent: PaymentIntent | undefined
  /** Why the last load failed; null after a successful one. */
  readonly error: Error | null
  /** This tab has sent a payment, and nobody has answered how the intent stands. */
  readonly isUnanswered: boolean
  /** Loads the intent again and resolves when it is shown; null when the load fails. */
  readonly readStanding: () => Promise<PaymentStanding | null>
  /** Shows what the server has answered to a payment. */
  readonly showPayment: (result: PaymentResult) => void
}

/**
 * A payment intent from the server. It is loaded again when another tab pays, while a payment is processing, and for one that was sent
 * before a reload.
 */
export const useIntent = (id: string): IntentState => {
  const client = useQueryClient()
  const { data: intent, error, refetch } = useQuery(intentQuery(id))
  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])
  useLatePayment(id, refetch)
  const isUnanswered = intent === undefined && error !== null && readSentPayment(id) !== null
  useAskAgain(isUnanswered ? refetch : null)

  const readStanding = useCallback(async (): Promise<PaymentStanding | null> => {
    try {
      const found = await fetchIntent(id, AbortSignal.timeout(READ_TIMEOUT_MS))
      client.setQueryData(intentQuery(id).queryKey, found)
      return { status: found.status, error: found.error && `Payment Failed. ${found.error}`, lastPaymentId: found.lastPaymentId }
    } catch {
      return null
    }
  }, [client, id])
  const showPayment = ({ intentStatus: status, payment }: PaymentResult): void => {
    const email = payment?.email ?? null
    client.setQueryData(
      intentQuery(id).queryKey,
      (shown) => shown && { ...shown, status, payment, email, total: payment?.total ?? shown.total },
    )
    void refetch()
  }
  return { intent, error, isUnanswered, readStanding, showPayment }
}
