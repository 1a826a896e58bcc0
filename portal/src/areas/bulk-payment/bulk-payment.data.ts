import { bulkPayment, type PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { clearIdempotencyKey, idempotencyKey } from '../../payments/idempotency-key.ts'
import { isDefiniteFailure } from '../../payments/payment-error.ts'

/** While a payment is being confirmed, it is asked about as often. */
const POLL_INTERVAL_MS = 5_000

/** The intent as it stands; asked for again while it is being confirmed. */
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
 * Pays an intent. The key of the press stays the same until the server has said yes or no.
 * @throws AskFailed as `ask` does
 */
export const payIntent = async ({ id, sessionId }: PaymentIntent, payment: Payment) => {
  try {
    const answer = await callApi(bulkPayment.pay, {
      body: { ...payment, uid: id, sessionId },
      headers: { 'Idempotency-Key': idempotencyKey(id) },
    })
    clearIdempotencyKey(id)
    return answer
  } catch (failure) {
    if (isDefiniteFailure(failure)) clearIdempotencyKey(id)
    throw failure
  }
}

/** What the payment company wrote into the address on the way back. */
export interface ReturnParameters {
  readonly paymentIntent: string | null
  readonly paymentIntentClientSecret: string | null
  readonly sourceType: string | null
  readonly reqUid: string | null
}

/** What became of a payment that was sent away to be confirmed; asked for again while nobody knows. */
export const resultQuery = (returnParameters: ReturnParameters) =>
  queryOptions({
    queryKey: ['bulk-payment', 'result', returnParameters],
    queryFn: ({ signal }) => callApi(bulkPayment.result, { body: returnParameters, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? POLL_INTERVAL_MS : false),
    meta: { failure: 'inline' },
  })
