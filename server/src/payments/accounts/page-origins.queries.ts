import type { Db } from '../../db/database.ts'

/** The resellers whose payment pages this host serves: its brand's, or all where no brand claims it. Runs as the system. */
export const listResellersAtHost = async (db: Db, brandId: number | undefined): Promise<readonly number[]> => {
  const resellers = db.selectFrom('reseller').select('id').where('payment_provider', 'is not', null)
  if (brandId === undefined) return (await resellers.execute()).map(({ id }) => id)
  const brand = await db.selectFrom('brand').select('reseller_id').where('id', '=', brandId).executeTakeFirst()
  return brand?.reseller_id ? [brand.reseller_id] : []
}

/** The address of a reseller's provider. Runs as the reseller. */
export const listProviderAddresses = (db: Db, resellerId: number) =>
  db
    .selectFrom('reseller')
    .innerJoin('payment_account as account', (join) =>
      join.onRef('account.reseller_id', '=', 'reseller.id').onRef('account.provider', '=', 'reseller.payment_provider'),
    )
    .select(['account.provider', 'account.base_url as baseUrl'])
    .where('reseller.id', '=', resellerId)
    .execute()
