import type { Keys } from '../kit/keys.ts'

/** Nonce, PKCE verifier and SAML request id of one attempt, all derived from its state, so that none is stored. */
export const attemptSecrets = (keys: Keys, state: string) => ({
  nonce: keys.mac('sign-on', 'nonce', state).toString('base64url'),
  verifier: keys.mac('sign-on', 'verifier', state).toString('base64url'),
  /** An XML id begins with a letter or an underscore. */
  requestId: `_${keys.mac('sign-on', 'request', state).toString('hex').slice(0, 40)}`,
})

/** What a reseller's client secrets are sealed under, so that none opens as another reseller's. */
const sealContext = (resellerId: number): string => `client secret of a company of reseller ${resellerId}`

/** An organization's client secret, encrypted for the database. */
export const sealClientSecret = (keys: Keys, resellerId: number, secret: string): Buffer => keys.seal(sealContext(resellerId), secret)

/** Decrypts what `sealClientSecret` encrypted. Throws under another master key or reseller. */
export const unsealClientSecret = (keys: Keys, resellerId: number, sealed: Buffer): string => keys.open(sealContext(resellerId), sealed)
