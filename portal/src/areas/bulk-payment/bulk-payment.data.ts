import { bulkPayment, type PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { clearIdempotencyKey, idempotencyKey } from '../../payments/idempotency-key.ts'
import { isDefiniteFailure } from '../../payments/payment-error.ts'

/** How often the status of a processing payment is polled. */
const POLL_INTERVAL_MS = 5_000

/** A payment intent; polled while it is processing. */
export const intentQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk-payment', 'intent', id],
    queryFn: ({ signal }) => callApi(bulkPayment.intent, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? POLL_INTERVAL_MS : false),
    meta: { failure: 'inline' },
  })

type Payment = Parameters<typeof callApi<typeof bulkPayment.pay>>[1]['body']

/**
 * Pays an intent. The idempotency key stays the same until the server has definitely accepted or rejected the payment.
 * @throws ApiError when the request fails
 */
export const payIntent = async ({ id, sessionId }: PaymentIntent, payment: Payment) => {
  try {
    const response = await callApi(bulkPayment.pay, {
      body: { ...payment, uid: id, sessionId },
      headers: { 'Idempotency-Key': idempotencyKey(id) },
    })
    clearIdempotencyKey(id)
    return response
  } catch (failure) {
    if (isDefiniteFailure(failure)) clearIdempotencyKey(id)
    throw failure
  }
}

/** The parameters that the provider added to the return address. */
export interface ReturnParameters {
  readonly paymentIntent: string | null
  readonly paymentIntentClientSecret: string | null
  readonly sourceType: string | null
  readonly reqUid: string | null
}

/** The result of a redirected payment; polled while it is processing (PR-01). */
export const resultQuery = (returnParameters: ReturnParameters) =>
  queryOptions({
    queryKey: ['bulk-payment', 'result', returnParameters],
    queryFn: ({ signal }) => callApi(bulkPayment.result, { body: returnParameters, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? POLL_INTERVAL_MS : false),
    meta: { failure: 'inline' },
  })
