import { ApiError, messageOf } from '../../../api/call-api.ts'

const DECLINED = 'Your card was declined'

/** Why a card was not stored: the server's words, but for a fault of its own (payments.md §8, Add card failure). */
export const cardErrorText = (failure: unknown): string => {
  if (!(failure instanceof ApiError)) return messageOf(failure)
  return failure.status === 500 ? DECLINED : messageOf(failure)
}
