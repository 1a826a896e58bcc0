import { type Static, Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'

/** The portal's fixed OAuth client. It is public and proves nothing. */
export const PORTAL_CLIENT = { id: 'counterfoil-portal', secret: 'counterfoil-portal' } as const

const Client = {
  client_id: Type.String({ minLength: 1, maxLength: 64 }),
  client_secret: Type.String({ minLength: 1, maxLength: 128 }),
  scope: Type.Optional(Type.String({ maxLength: 256 })),
}

export const PasswordGrant = Type.Object(
  {
    grant_type: Type.Literal('password'),
    username: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 4_096 }),
    ...Client,
  },
  { additionalProperties: false },
)

export const RefreshGrant = Type.Object(
  { grant_type: Type.Literal('refresh_token'), refresh_token: Type.String({ minLength: 1, maxLength: 512 }), ...Client },
  { additionalProperties: false },
)

export const CodeGrant = Type.Object(
  {
    grant_type: Type.Literal('authorization_code'),
    code: Type.String({ minLength: 1, maxLength: 512 }),
    redirect_uri: Type.Optional(Type.String({ maxLength: 2_048 })),
    ...Client,
  },
  { additionalProperties: false },
)

export const TokenResponse = Type.Object({
  access_token: Type.String({ description: 'A signed JWT, valid for 5 minutes' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  refresh_token: Type.String({ description: 'Opaque; give it back once to get the next one' }),
})
export type TokenResponse = Static<typeof TokenResponse>

/** The claims of an access token that the portal reads. The server never authorises by them. */
export interface TokenClaims {
  readonly sub: string
  readonly BrandId: number
  readonly resellername: string
  readonly ResellerId: number
  readonly DisplayName: string
  /** A support session. */
  readonly su?: true
  /** The support employee who acts in this user's name (RFC 8693 §4.1). */
  readonly act?: { readonly sub: string }
  readonly exp: number
}

/** The pattern of an email address in every form: one @, and a domain with a dot. */
export const EMAIL_PATTERN = '^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)+$'

export const signIn = {
  token: endpoint({
    method: 'POST',
    path: '/token',
    access: 'public',
    summary: 'Sign in, or exchange a refresh token or a one-time code',
    form: true,
    body: Type.Union([PasswordGrant, RefreshGrant, CodeGrant]),
    response: TokenResponse,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/revoke',
    access: 'public',
    summary: 'End a session by its refresh token (RFC 7009); the same answer for an unknown one',
    form: true,
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 512 }),
        token_type_hint: Type.Optional(Type.String({ maxLength: 64 })),
        client_id: Client.client_id,
        client_secret: Client.client_secret,
      },
      { additionalProperties: false },
    ),
    response: Type.Object({}),
  }),
  resetRequest: endpoint({
    method: 'POST',
    path: '/v1/ec/password-reset-request',
    access: 'public',
    summary: 'Ask for a mail with a link that sets a new password; the same answer whether or not the address is known',
    body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }, { additionalProperties: false }),
    response: null,
  }),
}
