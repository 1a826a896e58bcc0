import { ApiError, messageOf } from '../../../api/call-api.ts'

const DECLINED = 'Your card was declined'

/** Why a card was not stored: Pinch's or the server's text, except for a 500 (PM-06). */
export const cardErrorText = (failure: unknown): string =>
  failure instanceof ApiError && failure.status === 500 ? DECLINED : messageOf(failure)
