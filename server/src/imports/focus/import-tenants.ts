import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { findReseller, parseIdOrName, onlyMatch } from '../find-reseller.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { findBrands, insertBrand, insertReseller } from './focus-tenants.queries.ts'

/** The symbol of a currency, such as "A$"; its code when it has none. */
export const currencySymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Finds the reseller's brand with this id or name; undefined for an unknown name. @throws OperatorError as findReseller does */
export const findBrand = async (db: Db, resellerId: number, brand: string): Promise<NamedRecord | undefined> =>
  onlyMatch('brand of this reseller', brand, await findBrands(db, resellerId, parseIdOrName(brand)))

/** Whose customers a file has. */
export interface Tenants {
  readonly reseller: NamedRecord
  readonly brand: NamedRecord
}

/** Finds or inserts the reseller and the brand, and switches the transaction's database role to that reseller. */
export const ensureResellerAndBrand = async (
  db: Db,
  { reseller, brand, currency }: { reseller: string; brand: string; currency: string },
): Promise<Tenants> => {
  const symbol = currencySymbol(currency)
  const owningReseller = (await findReseller(db, reseller)) ?? (await insertReseller(db, reseller.trim(), currency, symbol))
  await actAsReseller(db, owningReseller.id)
  return {
    reseller: owningReseller,
    brand: (await findBrand(db, owningReseller.id, brand)) ?? (await insertBrand(db, owningReseller.id, brand.trim(), symbol)),
  }
}
