import type { Db } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { type Named, resellersNamed } from './resellers.queries.ts'

/** A number is an id; anything else is a name. */
export const idOrName = (text: string): string | number => {
  const trimmed = text.trim()
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/**
 * The reseller that is meant; nothing when it is a name that nobody has yet. As counterfoil_system.
 * @throws OperatorError for an unknown id, and for a name that several have
 */
export const findReseller = async (db: Db, reseller: string): Promise<Named | undefined> =>
  theOne('reseller', reseller, await resellersNamed(db, idOrName(reseller)))

/**
 * The only one of those found.
 * @throws OperatorError as above
 */
export const theOne = (what: string, wanted: string, found: readonly Named[]): Named | undefined => {
  const meant = idOrName(wanted)
  if (typeof meant === 'number' && found.length === 0) throw new OperatorError(`There is no ${what} with the id ${meant}.`)
  if (meant === '' || (typeof meant === 'string' && (meant.length > 200 || /\p{C}/u.test(meant))))
    throw new OperatorError(`The name of the ${what} must have 1 to 200 characters, all of them printable.`)
  if (found.length > 1)
    throw new OperatorError(`More than one ${what} is named ${wanted}; give its id: ${found.map(({ id }) => id).join(', ')}.`)
  return found[0]
}
