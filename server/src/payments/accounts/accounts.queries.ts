import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { PayerScope } from '../../session/scope.ts'

/** A reseller's payment settings and its account: at the provider in use, unless another is named. Runs as the reseller. */
export const findAccountRow = (db: Db, resellerId: number, provider: string | null = null) =>
  db
    .selectFrom('reseller')
    .leftJoin('payment_account as account', (join) =>
      join
        .onRef('account.reseller_id', '=', 'reseller.id')
        .on(sql<boolean>`account.provider = coalesce(${provider}, reseller.payment_provider)`),
    )
    .select([
      'reseller.payment_provider as provider',
      'account.provider as accountProvider',
      'reseller.payments_enabled as isEnabled',
      'reseller.payments_bulk as isBulk',
      'reseller.legal_name as legalName',
      'reseller.direct_debit_payment_method_id as debitId',
      'reseller.publishable_key as publishableKey',
      'reseller.payment_raw_card as mayTakeRawCards',
      'account.base_url as baseUrl',
      'account.sealed',
    ])
    .where('reseller.id', '=', resellerId)
    .executeTakeFirstOrThrow()

export type AccountRow = Awaited<ReturnType<typeof findAccountRow>>

/** Inserts or replaces a reseller's account at a provider. */
export const upsertAccount = async (
  db: Db,
  account: { resellerId: number; provider: string; baseUrl: string; sealed: Buffer },
  now: Date,
): Promise<void> => {
  const { resellerId: reseller_id, provider, baseUrl: base_url, sealed } = account
  await db
    .insertInto('payment_account')
    .values({ reseller_id, provider, base_url, sealed, changed_at: now })
    // The returns of another account were never read.
    .onConflict((conflict) =>
      conflict.columns(['reseller_id', 'provider']).doUpdateSet({ base_url, sealed, changed_at: now, returns_read_at: null }),
    )
    .execute()
}

/** When the returned debits of an account were read last; null where they never were. */
export const findReturnsReadAt = async (db: Db, resellerId: number, provider: string): Promise<Date | null> =>
  (
    await db
      .selectFrom('payment_account')
      .select('returns_read_at as readAt')
      .where('reseller_id', '=', resellerId)
      .where('provider', '=', provider)
      .executeTakeFirst()
  )?.readAt ?? null

/** Notes that all returned debits of an account were read and settled. */
export const setReturnsReadAt = async (db: Db, resellerId: number, provider: string, readAt: Date): Promise<void> => {
  await db
    .updateTable('payment_account')
    .set({ returns_read_at: readAt })
    .where('reseller_id', '=', resellerId)
    .where('provider', '=', provider)
    .execute()
}

export const findProviderCustomerId = async (db: Db, { customerId }: PayerScope, provider: string): Promise<string | null> =>
  (
    await db
      .selectFrom('payment_provider_customer')
      .select('provider_customer_id as providerCustomerId')
      .where('customer_id', '=', customerId)
      .where('provider', '=', provider)
      .executeTakeFirst()
  )?.providerCustomerId ?? null

/** Deletes the provider's id of a customer, unless it has changed meanwhile. */
export const deleteProviderCustomer = async (
  db: Db,
  { customerId }: PayerScope,
  provider: string,
  providerCustomerId: string,
): Promise<void> => {
  await db
    .deleteFrom('payment_provider_customer')
    .where('customer_id', '=', customerId)
    .where('provider', '=', provider)
    .where('provider_customer_id', '=', providerCustomerId)
    .execute()
}

/**
 * Saves the provider's id of a customer. The first one saved stays.
 * @returns the saved id
 */
export const insertProviderCustomer = async (db: Db, payer: PayerScope, provider: string, providerCustomerId: string): Promise<string> => {
  await db
    .insertInto('payment_provider_customer')
    .values({ customer_id: payer.customerId, provider, provider_customer_id: providerCustomerId })
    .onConflict((conflict) => conflict.columns(['customer_id', 'provider']).doNothing())
    .execute()
  return (await findProviderCustomerId(db, payer, provider)) ?? providerCustomerId
}

/** The customer's label, which the provider shows, and its brand's domain, where links to the portal start. */
export const findCustomerProfile = (db: Db, { customerId }: PayerScope) =>
  db
    .selectFrom('customer')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .select(['customer.label', 'brand.domain'])
    .where('customer.id', '=', customerId)
    .executeTakeFirstOrThrow()
