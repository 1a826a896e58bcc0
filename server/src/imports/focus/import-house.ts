import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { findReseller, idOrName, theOne } from '../find-reseller.ts'
import type { Named } from '../resellers.queries.ts'
import { brandsNamed, insertBrand, insertReseller } from './focus-house.queries.ts'

/** A currency's own sign, as in "A$"; its code where it has none. */
export const currencySymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** The reseller's brand that is meant, by the same rules as the reseller. */
export const findBrand = async (db: Db, resellerId: number, brand: string): Promise<Named | undefined> =>
  theOne('brand of this reseller', brand, await brandsNamed(db, resellerId, idOrName(brand)))

/** Finds or makes the reseller and the brand; from there on the transaction works as that reseller. */
export const ensureResellerAndBrand = async (
  db: Db,
  { reseller, brand, currency }: { reseller: string; brand: string; currency: string },
): Promise<{ reseller: Named; brand: Named }> => {
  const symbol = currencySymbol(currency)
  const owner = (await findReseller(db, reseller)) ?? (await insertReseller(db, reseller.trim(), currency, symbol))
  await actAsReseller(db, owner.id)
  return { reseller: owner, brand: (await findBrand(db, owner.id, brand)) ?? (await insertBrand(db, owner.id, brand.trim(), symbol)) }
}
