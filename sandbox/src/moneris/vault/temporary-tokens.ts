import type { StoredObject } from '../../kit/object-store.ts'
import type { Card } from '../payments/cards.ts'
import { randomText } from '../store/random.ts'
import type { MonerisSession } from '../store/moneris-session.ts'

/** The longest life of a temporary token. */
export const MAX_TOKEN_SECONDS = 900

/** A card for one use, under an `ot-` key. */
interface TemporaryToken extends StoredObject {
  readonly pan: Card['pan']
  /** YYMM; null when it was not typed. */
  readonly expdate: string | null
  /** The result of the security code; null when it was not typed. The code itself is not stored. */
  readonly cvd: string | null
  readonly expiresAt: number
}

/** Stores a card under a new temporary token, which is valid for so many seconds. Returns the token. */
export const createToken = (
  session: MonerisSession,
  card: Pick<TemporaryToken, 'pan' | 'expdate' | 'cvd'>,
  seconds = MAX_TOKEN_SECONDS,
): string => {
  const id = `ot-${randomText(25)}`
  session.put<TemporaryToken>({ id, object: 'temporary_token', ...card, expiresAt: session.now + seconds * 1000 })
  return id
}

/** The unexpired token of the store, or of a page that belongs to no store; undefined without one. Nothing is used up. */
export const findToken = (session: MonerisSession, id: string): TemporaryToken | undefined => {
  const token = session.find<TemporaryToken>('temporary_token', id) ?? session.shared.find<TemporaryToken>('temporary_token', id)
  return token !== undefined && token.expiresAt > session.now ? token : undefined
}

/** Removes a token, so that it cannot be used again. */
export const useUpToken = (session: MonerisSession, id: string): void => {
  for (const owner of [session, session.shared]) if (owner.find('temporary_token', id) !== undefined) owner.remove(id)
}
