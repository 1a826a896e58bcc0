import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { findUser, insertUser, addUserCustomers } from './focus-tenants.queries.ts'

export interface ImportUser {
  readonly reseller: NamedRecord
  readonly brand: NamedRecord
  /** Undefined: derived from the names of reseller and brand. */
  readonly username: string | undefined
  /** Whether a new user is made. */
  readonly create: boolean
  readonly passwordHash: string
  readonly now: Date
}

/**
 * Finds or inserts the user who may act for the imported customers, and links the user to all of them.
 * @returns null where nobody is named, there is no user of an earlier import, and none is to be made
 * @throws OperatorError when the username belongs to a user of another reseller, or is new and not to be made
 */
export const ensureUser = async (
  db: Db,
  request: ImportUser,
  customers: readonly string[],
): Promise<{ username: string; isNew: boolean } | null> => {
  const externalId = `focus:${request.brand.id}`
  const existing = await findUser(db, request.username === undefined ? { externalId } : { username: request.username })
  if (existing === undefined && !request.create) {
    if (request.username === undefined) return null
    throw new OperatorError(`There is no user named ${request.username}. If the user is new, say --create.`)
  }
  const user = existing ?? (await createUser(db, request, externalId))
  await addUserCustomers(db, request.reseller.id, user.id, customers)
  return { username: user.username, isNew: existing === undefined }
}

/**
 * Inserts the user under the username asked for, else under the first free one made of the reseller's and brand's names.
 * @throws OperatorError when it is taken
 */
const createUser = async (db: Db, request: ImportUser, externalId: string): Promise<{ id: string; username: string }> => {
  for (const username of request.username === undefined ? usernameCandidates(request) : [request.username]) {
    const id = await insertUser(db, {
      resellerId: request.reseller.id,
      brandId: request.brand.id,
      username,
      displayName: request.reseller.name,
      externalId,
      passwordHash: request.passwordHash,
      now: request.now,
    })
    if (id !== undefined) return { id, username }
  }
  throw new OperatorError(
    request.username === undefined
      ? 'Every username that suits this reseller is taken; name one with --username.'
      : `The username ${request.username} is taken; name another with --username.`,
  )
}

/** The usernames to try, in order. */
const usernameCandidates = ({ reseller, brand }: ImportUser): string[] => {
  const base = toUsername(reseller.name)
  return [base, `${base}-${toUsername(brand.name)}`, ...Array.from({ length: 8 }, (_, more) => `${base}-${more + 2}`)]
}

/** A name in small letters and digits, with hyphens, and without accents; `customer` where nothing is left. */
const toUsername = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'customer'
