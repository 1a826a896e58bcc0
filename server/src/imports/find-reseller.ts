import type { Db, Store } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { type NamedRecord, findResellers } from './resellers.queries.ts'

/** A number (an id) for a text of digits alone; anything else is a name, trimmed. */
export const parseIdOrName = (text: string): string | number => {
  const trimmed = text.trim()
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/**
 * Finds the reseller with this id or name; undefined for an unknown name. As counterfoil_system.
 * @throws OperatorError for an unknown id, and for a name that several resellers have
 */
export const findReseller = async (db: Db, reseller: string): Promise<NamedRecord | undefined> =>
  onlyMatch('reseller', reseller, await findResellers(db, parseIdOrName(reseller)))

/** The reseller with this id or name. @throws OperatorError when there is none, or several */
export const existingReseller = async (store: Store, reseller: string): Promise<NamedRecord> => {
  const found = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, reseller), { pool: 'background' })
  if (found === undefined) throw new OperatorError(`There is no reseller named ${reseller.trim()}.`)
  return found
}

/**
 * The only one of the records found by an id or a name; undefined for an unknown name.
 * @param what the noun for messages, such as "reseller"
 * @throws OperatorError for an unknown id, for a name that several have, and for what can be no name
 */
export const onlyMatch = (what: string, ref: string, matches: readonly NamedRecord[]): NamedRecord | undefined => {
  const idOrName = parseIdOrName(ref)
  if (typeof idOrName === 'number' && matches.length === 0) throw new OperatorError(`There is no ${what} with the id ${idOrName}.`)
  if (idOrName === '' || (typeof idOrName === 'string' && (idOrName.length > 200 || /\p{C}/u.test(idOrName))))
    throw new OperatorError(`The name of the ${what} must have 1 to 200 characters, all of them printable.`)
  if (matches.length > 1)
    throw new OperatorError(`More than one ${what} is named ${ref}; give its id: ${matches.map(({ id }) => id).join(', ')}.`)
  return matches[0]
}
