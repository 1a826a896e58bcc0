import type { Keys } from '../kit/keys.ts'
import { secretHash } from './tokens.ts'

export type LinkKind = 'reset' | 'registration' | 'support'

/** The parsed token of a link. */
export interface LinkToken {
  readonly id: string
  readonly secretHash: Buffer
}

const ID_LENGTH = 22
const TOKEN_PATTERN = /^[\w-]{65}$/

/** The token in a mailed link's URL: its id and its secret. The secret is derived, so that a mail that is sent again has the same link. */
export const linkToken = (keys: Keys, id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + secretOf(keys, id)

/** The hash of a link's secret, as it is stored. */
export const linkSecretHash = (keys: Keys, id: string): Buffer => secretHash(secretOf(keys, id))

/** The secret of a link, derived from the keys and the link's id. Stored nowhere. */
const secretOf = (keys: Keys, id: string): string => keys.mac('link', id).toString('base64url')

/** The id and the hash of the secret in the token of a link's URL; undefined when it is malformed. Looks nothing up. */
export const parseLinkToken = (text: string): LinkToken | undefined => {
  if (!TOKEN_PATTERN.test(text)) return undefined
  const id = Buffer.from(text.slice(0, ID_LENGTH), 'base64url').toString('hex')
  return {
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    secretHash: secretHash(text.slice(ID_LENGTH)),
  }
}
