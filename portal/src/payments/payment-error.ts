import { AskFailed, messageOf } from '../api/api-error.ts'

const OOPS = 'Oops, something went wrong'

/** Did the server say no? Without an answer, or after a fault of the server's own, nobody knows whether money moved. */
export const isDefinite = (failure: unknown): boolean => failure instanceof AskFailed && failure.status >= 400 && failure.status < 500

/** Is what the screen shows of the payment out of date? Nobody knows what became of it, or it is in conflict with what others did. */
export const isStale = (failure: unknown): boolean => !isDefinite(failure) || (failure instanceof AskFailed && failure.status === 409)

/**
 * Why a payment failed, in words for the person: the server's message if there is one (payments.md §8, Single payment and Bulk payment).
 */
export const payRefusal = (failure: unknown): string => {
  if (!(failure instanceof AskFailed)) return messageOf(failure) || OOPS
  if (failure.userMessage !== undefined) return failure.userMessage
  return failure.status === 0 || failure.message.trim() === '' ? OOPS : messageOf(failure)
}
