import { bulkPayment, type PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/call-api.ts'
import { dropPayKey, payKey } from '../../payments/idempotency-key.ts'
import { isDefinite } from '../../payments/payment-error.ts'

/** While a payment is being confirmed, it is asked about as often. */
const CONFIRMING_MS = 5_000

/** The intent as it stands; asked for again while it is being confirmed. */
export const intentQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk-payment', 'intent', id],
    queryFn: ({ signal }) => ask(bulkPayment.intent, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? CONFIRMING_MS : false),
    meta: { failure: 'inline' },
  })

type Payment = Parameters<typeof ask<typeof bulkPayment.pay>>[1]['body']

/**
 * Pays an intent. The key of the press stays the same until the server has said yes or no.
 * @throws AskFailed as `ask` does
 */
export const payIntent = async ({ id, sessionId }: PaymentIntent, payment: Payment) => {
  try {
    const answer = await ask(bulkPayment.pay, { body: { ...payment, uid: id, sessionId }, headers: { 'Idempotency-Key': payKey(id) } })
    dropPayKey(id)
    return answer
  } catch (failure) {
    if (isDefinite(failure)) dropPayKey(id)
    throw failure
  }
}

/** What the payment company wrote into the address on the way back. */
export interface ComeBack {
  readonly paymentIntent: string | null
  readonly paymentIntentClientSecret: string | null
  readonly sourceType: string | null
  readonly reqUid: string | null
}

/** What became of a payment that was sent away to be confirmed; asked for again while nobody knows. */
export const resultQuery = (comeBack: ComeBack) =>
  queryOptions({
    queryKey: ['bulk-payment', 'result', comeBack],
    queryFn: ({ signal }) => ask(bulkPayment.result, { body: comeBack, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === INTENT_STATUS.processing ? CONFIRMING_MS : false),
    meta: { failure: 'inline' },
  })
