import { ApiError, messageOf } from '../../../api/call-api.ts'

const DECLINED = 'Your card was declined'

/** Why a card was not stored: `messageOf` the failure, but "Your card was declined" for a 500 of the server (PM-06). */
export const cardErrorText = (failure: unknown): string =>
  failure instanceof ApiError && failure.status === 500 ? DECLINED : messageOf(failure)
