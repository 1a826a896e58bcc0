import { type Static, Type } from 'typebox'
import { PendingPayment } from '../payments/payment-summary.ts'
import { ERRORS, type ErrorCode } from './error-codes.ts'

/** The body of every refused request but those of /token and /revoke: a problem as RFC 9457 defines it, with additional members. */
export const Failure = Type.Object({
  type: Type.String({ format: 'uri-reference', description: 'Names the kind of problem: /problems/ and the code' }),
  title: Type.String({ description: 'The kind of problem in words, the same for each occurrence' }),
  status: Type.Integer({ description: 'The HTTP status' }),
  detail: Type.String({ description: 'The same as message' }),
  code: Type.Unsafe<ErrorCode>({ type: 'string', enum: Object.keys(ERRORS), description: 'For programs: one of a closed list' }),
  message: Type.String({ description: 'What went wrong, in words a person can act on' }),
  userMessage: Type.Optional(Type.String({ description: 'The text to show on the screen as it stands' })),
  payment: Type.Optional({
    ...PendingPayment,
    description: 'Of payment_in_progress: the payment that is being confirmed, where it is known',
  }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ description: 'The field, as in body.newPassword' }),
        message: Type.String(),
      }),
    ),
  ),
})
export type Failure = Static<typeof Failure>

/** The body of a refused POST /token or /revoke, as OAuth 2 writes it (RFC 6749 §5.2). */
export const TokenFailure = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
})
export type TokenFailure = Static<typeof TokenFailure>
