import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { Named } from '../resellers.queries.ts'
import { findUser, insertUser, linkUser } from './focus-house.queries.ts'

export interface UserWish {
  readonly reseller: Named
  readonly brand: Named
  /** As the person who imports wants it; else made from the names of reseller and brand. */
  readonly username: string | undefined
  readonly passwordHash: string
  readonly now: Date
}

/**
 * The user who may act for the imported customers: found or made, and linked to them all.
 * @throws OperatorError when the wanted name belongs to somebody outside this reseller
 */
export const settleUser = async (db: Db, wish: UserWish, customers: readonly string[]): Promise<{ username: string; isNew: boolean }> => {
  const externalId = `focus:${wish.brand.id}`
  const found = await findUser(db, wish.username === undefined ? { externalId } : { username: wish.username })
  const user = found ?? (await makeUser(db, wish, externalId))
  await linkUser(db, wish.reseller.id, user.id, customers)
  return { username: user.username, isNew: found === undefined }
}

const makeUser = async (db: Db, wish: UserWish, externalId: string): Promise<{ id: string; username: string }> => {
  for (const username of wish.username === undefined ? candidates(wish) : [wish.username]) {
    const id = await insertUser(db, {
      resellerId: wish.reseller.id,
      brandId: wish.brand.id,
      username,
      displayName: wish.reseller.name,
      externalId,
      passwordHash: wish.passwordHash,
      now: wish.now,
    })
    if (id !== undefined) return { id, username }
  }
  throw new OperatorError(
    wish.username === undefined
      ? 'Every username that suits this reseller is taken; name one with --username.'
      : `The username ${wish.username} is taken; name another with --username.`,
  )
}

const candidates = ({ reseller, brand }: UserWish): string[] => {
  const short = asUsername(reseller.name)
  return [short, `${short}-${asUsername(brand.name)}`, ...Array.from({ length: 8 }, (_, more) => `${short}-${more + 2}`)]
}

const asUsername = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'customer'
