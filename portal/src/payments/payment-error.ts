import { ApiError, messageOf } from '../api/api-error.ts'

const GENERIC_ERROR = 'Oops, something went wrong'

/** Did the server say no? Without an answer, or after a fault of the server's own, nobody knows whether money moved. */
export const isDefiniteFailure = (failure: unknown): boolean => failure instanceof ApiError && failure.status >= 400 && failure.status < 500

/** Is what the screen shows of the payment out of date? Nobody knows what became of it, or it is in conflict with what others did. */
export const isPossiblyStale = (failure: unknown): boolean =>
  !isDefiniteFailure(failure) || (failure instanceof ApiError && failure.status === 409)

/**
 * Why a payment failed, in words for the person: the server's message if there is one (payments.md §8, Single payment and Bulk payment).
 */
export const paymentErrorText = (failure: unknown): string => {
  if (!(failure instanceof ApiError)) return messageOf(failure) || GENERIC_ERROR
  if (failure.userMessage !== undefined) return failure.userMessage
  return failure.status === 0 || failure.message.trim() === '' ? GENERIC_ERROR : messageOf(failure)
}
