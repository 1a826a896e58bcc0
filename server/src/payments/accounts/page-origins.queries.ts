import type { Db } from '../../db/database.ts'

/**
 * The provider of a brand's reseller with the address of the account in use; without a brand, those of all resellers. Runs as
 * counterfoil_system.
 */
export const listProviderAddresses = (db: Db, brandId: number | undefined) =>
  db
    .selectFrom('reseller')
    .innerJoin('payment_account as account', (join) =>
      join
        .onRef('account.reseller_id', '=', 'reseller.id')
        .onRef('account.provider', '=', 'reseller.payment_provider')
        .on('account.replaced_at', 'is', null),
    )
    .select(['account.provider', 'account.base_url as baseUrl'])
    .distinct()
    .$if(brandId !== undefined, (query) =>
      query.where('reseller.id', '=', (of) =>
        of
          .selectFrom('brand')
          .select('reseller_id')
          .where('brand.id', '=', brandId ?? 0),
      ),
    )
    .execute()
