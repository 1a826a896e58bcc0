import type { Keys } from '../kit/keys.ts'

/** What goes along with one attempt, all of it derived from its state, so that nothing of it is stored. */
export const attemptSecrets = (keys: Keys, state: string) => ({
  nonce: keys.mac('sign-on', 'nonce', state).toString('base64url'),
  verifier: keys.mac('sign-on', 'verifier', state).toString('base64url'),
  /** An XML id begins with a letter or an underscore. */
  requestId: `_${keys.mac('sign-on', 'request', state).toString('hex').slice(0, 40)}`,
})

const sealContext = (resellerId: number): string => `client secret of a company of reseller ${resellerId}`

/** A company's client secret as the database keeps it. */
export const sealClientSecret = (keys: Keys, resellerId: number, secret: string): Buffer => keys.seal(sealContext(resellerId), secret)

/** The secret that `sealClientSecret` has sealed. */
export const unsealClientSecret = (keys: Keys, resellerId: number, sealed: Buffer): string => keys.open(sealContext(resellerId), sealed)
