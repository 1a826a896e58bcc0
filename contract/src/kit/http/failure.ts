import { type Static, Type } from 'typebox'

/** The body of every refused call but /token (decisions.md, Answers). */
export const Failure = Type.Object({
  message: Type.String({ description: 'What went wrong, in words a person can act on' }),
  userMessage: Type.Optional(Type.String({ description: 'The text to show on the screen as it stands' })),
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

/** The body of a refused POST /token, as OAuth 2 writes it (RFC 6749 §5.2). */
export const TokenFailure = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
})
export type TokenFailure = Static<typeof TokenFailure>
