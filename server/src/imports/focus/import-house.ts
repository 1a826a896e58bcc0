import { OperatorError } from '../../kit/refusal.ts'
import type { Db } from '../../kit/db.ts'
import { becomeReseller, brandsNamed, insertBrand, insertReseller, type Named, resellersNamed } from './focus-house.queries.ts'

/** A currency's own sign, as in "A$"; its code where it has none. */
export const currencySymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** A number is an id; anything else is a name. */
const idOrName = (text: string): string | number => {
  const trimmed = text.trim()
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/**
 * The reseller that is meant; nothing when it is a name that nobody has yet. As counterfoil_system.
 * @throws OperatorError for an unknown id, and for a name that several have
 */
export const findReseller = async (db: Db, reseller: string): Promise<Named | undefined> =>
  theOne('reseller', reseller, await resellersNamed(db, idOrName(reseller)))

/** The reseller's brand that is meant, by the same rules. */
export const findBrand = async (db: Db, resellerId: number, brand: string): Promise<Named | undefined> =>
  theOne('brand of this reseller', brand, await brandsNamed(db, resellerId, idOrName(brand)))

const theOne = (what: string, wanted: string, found: readonly Named[]): Named | undefined => {
  const meant = idOrName(wanted)
  if (typeof meant === 'number' && found.length === 0) throw new OperatorError(`There is no ${what} with the id ${meant}.`)
  if (meant === '' || (typeof meant === 'string' && (meant.length > 200 || /\p{C}/u.test(meant))))
    throw new OperatorError(`The name of the ${what} must have 1 to 200 characters, all of them printable.`)
  if (found.length > 1)
    throw new OperatorError(`More than one ${what} is named ${wanted}; give its id: ${found.map(({ id }) => id).join(', ')}.`)
  return found[0]
}

/** Finds or makes the reseller and the brand; from there on the transaction works as that reseller. */
export const settleHouse = async (
  db: Db,
  { reseller, brand, currency }: { reseller: string; brand: string; currency: string },
): Promise<{ reseller: Named; brand: Named }> => {
  const symbol = currencySymbol(currency)
  const owner = (await findReseller(db, reseller)) ?? (await insertReseller(db, reseller.trim(), currency, symbol))
  await becomeReseller(db, owner.id)
  return { reseller: owner, brand: (await findBrand(db, owner.id, brand)) ?? (await insertBrand(db, owner.id, brand.trim(), symbol)) }
}
