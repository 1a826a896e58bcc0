import type { Keys } from '../kit/keys.ts'
import { secretHash } from './tokens.ts'

export type LinkKind = 'reset' | 'registration' | 'support'

/** What the last part of a link's address stands for. */
export interface LinkToken {
  readonly id: string
  readonly secretHash: Buffer
}

const ID_LENGTH = 22
const TOKEN_PATTERN = /^[\w-]{65}$/

/** The last part of the address of a mailed link: its id and its secret. Derived, so that a mail that is sent again carries the same link. */
export const linkToken = (keys: Keys, id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + secretOf(keys, id)

/** How the secret of a mailed link is kept. */
export const linkSecretHash = (keys: Keys, id: string): Buffer => secretHash(secretOf(keys, id))

const secretOf = (keys: Keys, id: string): string => keys.mac('link', id).toString('base64url')

/** Reads what stood in a link's address; undefined for what can be none. */
export const parseLinkToken = (text: string): LinkToken | undefined => {
  if (!TOKEN_PATTERN.test(text)) return undefined
  const id = Buffer.from(text.slice(0, ID_LENGTH), 'base64url').toString('hex')
  return {
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    secretHash: secretHash(text.slice(ID_LENGTH)),
  }
}
