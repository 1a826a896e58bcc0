import type { Keys } from '../kit/keys.ts'
import { addMs } from '../kit/clock.ts'
import { addressGroupOf } from '../rate-limits/client-address.ts'

const DAY = 24 * 3_600_000

/** An address that a user signs in from, stored as a keyed hash only. */
export interface KnownAddress {
  readonly subject: Buffer
  readonly userId: string
  readonly knownUntil: Date
}

/** The row that makes an address known to a user's account for 90 days from now. Stores nothing. */
export const knownAddressOf = (keys: Keys, userId: string, address: string, now: Date): KnownAddress => ({
  subject: addressSubject(keys, userId, address),
  userId,
  knownUntil: addMs(now, 90 * DAY),
})

/**
 * The keyed hash of a user and an address (its /64 for IPv6), under which a known address is stored.
 * Without a user nobody knows it, so that the lookup takes the same time.
 */
export const addressSubject = (keys: Keys, userId: string | undefined, address: string): Buffer =>
  keys.mac('known-address', userId ?? '', addressGroupOf(address))
