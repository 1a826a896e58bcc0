import type { Keys } from '../kit/keys.ts'
import { addMs } from '../kit/clock.ts'
import { addressGroupOf } from '../rate-limits/rate-limits.ts'

const DAY = 24 * 3_600_000

/** A place that a user signs in from, as the database may know it: the address itself is not stored. */
export interface KnownAddress {
  readonly subject: Buffer
  readonly userId: string
  readonly knownUntil: Date
}

/** For 90 days after the last time. */
export const knownAddressOf = (keys: Keys, userId: string, address: string, now: Date): KnownAddress => ({
  subject: addressSubject(keys, userId, address),
  userId,
  knownUntil: addMs(now, 90 * DAY),
})

/** Without a user it is a place that nobody knows; looking for it takes the same time. */
export const addressSubject = (keys: Keys, userId: string | undefined, address: string): Buffer =>
  keys.mac('known-address', userId ?? '', addressGroupOf(address))
