import { Type } from 'typebox'
import { CARD_LIKE } from '../../../kit/card-number.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { Decline, DeclineReason } from '../decline.ts'
import { declineTextOf } from './bpoint-declines.ts'

const Text = Type.String({ minLength: 1 })
const WireError = Type.Object({ code: Text, message: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
const WireDetails = Type.Object({ details: Type.Array(Type.Object({ message: Text }), { minItems: 1 }) })

/** An error of the API, with the first message that is meant for people; undefined for any other body. */
export const errorOf = (body: unknown): { readonly code: string; readonly message: string } | undefined => {
  if (!matchesSchema(WireError, body)) return undefined
  const detail = matchesSchema(WireDetails, body) ? body.details[0]?.message : undefined
  return { code: body.code, message: (detail ?? body.message ?? '').slice(0, 200) }
}

/**
 * Our reasons for the errors that rule out that a call did anything. A code that is missing here leaves that open, such as InvalidFlow: a
 * key that was processed before may have been charged.
 */
const ERROR_REASONS: Readonly<Record<string, DeclineReason>> = {
  InvalidFields: 'not_accepted',
  InvalidPayload: 'not_configured',
  InvalidCredentials: 'not_configured',
  NotAuthenticated: 'not_configured',
  InvalidPermissions: 'not_configured',
}

/** The decline that an API error is; undefined for every answer that does not rule out that something was done. */
export const toErrorDecline = ({ status, body }: { readonly status: number; readonly body: unknown }): Decline | undefined => {
  const error = errorOf(body)
  if (status < 400 || status >= 500 || error === undefined) return undefined
  const known = ERROR_REASONS[error.code]
  if (known === undefined) return undefined
  const reason = known === 'not_accepted' && /\bamount\b/i.test(error.message) ? 'amount_not_accepted' : known
  // The first detail message is for the payer; what is wrong with the account is for its operator.
  const isForPayer = reason === 'not_accepted' && error.message !== ''
  const userMessage = isForPayer ? error.message.replace(CARD_LIKE, '…') : declineTextOf(reason)
  return { state: 'declined', reason, providerCode: `${error.code} ${error.message}`.trim().slice(0, 100), userMessage }
}

/** Whether BPOINT says of a key or a token that it does not know it, or that it can do nothing any more. */
export const isUnusable = ({ status, body }: { readonly status: number; readonly body: unknown }): boolean => {
  const code = errorOf(body)?.code
  return (status === 404 && code === 'NotFound') || (status === 400 && code === 'InvalidFlow')
}
