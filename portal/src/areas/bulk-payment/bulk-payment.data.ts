import { bulkPayment, type PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { ASK_INTERVAL_MS } from '../../payments/outcome/use-ask-again.ts'

/**
 * Asks the server for a payment intent as it stands now.
 * @throws ApiError when the request fails
 */
export const fetchIntent = (id: string, signal: AbortSignal) => callApi(bulkPayment.intent, { params: { id }, signal })

/** Query options: a payment intent, loaded anew each time, and polled while it is processing. */
export const intentQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk-payment', 'intent', id],
    queryFn: ({ signal }) => fetchIntent(id, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? ASK_INTERVAL_MS : false),
    meta: { failure: 'inline' },
  })

type Payment = Parameters<typeof callApi<typeof bulkPayment.pay>>[1]['body']

/**
 * Pays an intent with the given card or method; the intent's id and session id go along in the body.
 * @param headers the Idempotency-Key: requests with the same key pay once
 * @throws ApiError when the request fails
 */
export const payIntent = ({ id, sessionId }: PaymentIntent, payment: Payment, headers: Readonly<Record<string, string>>) =>
  callApi(bulkPayment.pay, { body: { ...payment, uid: id, sessionId }, headers })

/** The parameters that the provider added to the return address. */
export interface ReturnParameters {
  readonly paymentIntent: string | null
  readonly paymentIntentClientSecret: string | null
  readonly sourceType: string | null
  readonly reqUid: string | null
}

/** Query options: reports the bank's return parameters, for the result of a redirected payment; polled while it is processing (PR-01). */
export const resultQuery = (returnParameters: ReturnParameters) =>
  queryOptions({
    queryKey: ['bulk-payment', 'result', returnParameters],
    queryFn: ({ signal }) => callApi(bulkPayment.result, { body: returnParameters, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? ASK_INTERVAL_MS : false),
    meta: { failure: 'inline' },
  })
