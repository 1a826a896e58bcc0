import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/**
 * Reads a reseller's payment settings and its account at the provider: the one in use, unless `accountId` names another. The account's
 * fields are null when there is none. Runs as counterfoil_reseller. @throws NoResultError without such a reseller
 */
export const readAccountRow = (db: Db, resellerId: number, accountId: number | null = null) =>
  db
    .selectFrom('reseller')
    .leftJoin('payment_account as account', (join) =>
      join
        .onRef('account.reseller_id', '=', 'reseller.id')
        .on(
          accountId === null
            ? sql<boolean>`account.provider = reseller.payment_provider and account.replaced_at is null`
            : sql<boolean>`account.id = ${accountId}`,
        ),
    )
    .select([
      'reseller.payment_provider as provider',
      'account.id as accountId',
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

export type AccountRow = Awaited<ReturnType<typeof readAccountRow>>

/** When the returned debits of an account were read last; null when they never were. */
export const findReturnsReadAt = async (db: Db, accountId: number): Promise<Date | null> =>
  (await db.selectFrom('payment_account').select('returns_read_at as readAt').where('id', '=', accountId).executeTakeFirst())?.readAt ??
  null

/** Stores when all returned debits of an account were read and settled last. */
export const setReturnsReadAt = async (db: Db, accountId: number, readAt: Date): Promise<void> => {
  await db.updateTable('payment_account').set({ returns_read_at: readAt }).where('id', '=', accountId).execute()
}

/**
 * The provider's id of a customer as this database has it; null where none was stored.
 * @param accountId the reseller's account at the provider
 */
export const findProviderCustomerId = async (db: Db, { owns }: CustomerScope, accountId: number): Promise<string | null> =>
  (
    await db
      .selectFrom('payment_provider_customer')
      .select('provider_customer_id as providerCustomerId')
      .where(owns('payment_provider_customer'))
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  )?.providerCustomerId ?? null

/** Deletes the stored id of a customer at a provider's account, unless it has changed meanwhile. The provider is not told. */
export const deleteProviderCustomer = async (
  db: Db,
  { owns }: CustomerScope,
  accountId: number,
  providerCustomerId: string,
): Promise<void> => {
  await db
    .deleteFrom('payment_provider_customer')
    .where(owns('payment_provider_customer'))
    .where('account_id', '=', accountId)
    .where('provider_customer_id', '=', providerCustomerId)
    .execute()
}

/**
 * Saves the provider's id of a customer. The first one saved stays.
 * @returns the saved id
 */
export const insertProviderCustomer = async (
  db: Db,
  payer: CustomerScope,
  accountId: number,
  providerCustomerId: string,
): Promise<string> => {
  await db
    .insertInto('payment_provider_customer')
    .values({ customer_id: payer.customerId, account_id: accountId, provider_customer_id: providerCustomerId })
    .onConflict((conflict) => conflict.columns(['customer_id', 'account_id']).doNothing())
    .execute()
  return (await findProviderCustomerId(db, payer, accountId)) ?? providerCustomerId
}

/**
 * Reads the customer's label, which becomes the customer's name at the provider, and the domain of the brand's portal.
 * @throws NoResultError when the customer does not exist
 */
export const readCustomerProfile = (db: Db, { owns }: CustomerScope) =>
  db
    .selectFrom('customer')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .select(['customer.label', 'brand.domain'])
    .where(owns('customer', 'id'))
    .executeTakeFirstOrThrow()
