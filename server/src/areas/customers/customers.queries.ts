import type { Customer } from '@counterfoil/contract/customers'
import type { Profile } from '@counterfoil/contract/user/profile'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Actor } from '../../session/actor.ts'

/** The customer's symbol: the brand's own in the reseller's currency, the customer's in any other. */
const symbolOfCustomer = sql<string>`case when customer.currency = reseller.currency then brand.currency_symbol else customer.currency_symbol end`

/** The customers of the user's reseller that the user may act for, by label. A session for one customer sees only that one. */
export const customersOfUser = (db: Db, userId: string, onlyCustomerId: number | null): Promise<Customer[]> =>
  db
    .selectFrom('user_customer')
    .innerJoin('app_user', 'app_user.id', 'user_customer.user_id')
    .innerJoin('customer', (join) =>
      join.onRef('customer.id', '=', 'user_customer.customer_id').onRef('customer.reseller_id', '=', 'app_user.reseller_id'),
    )
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .select([
      'customer.id as customerId',
      'customer.label',
      'user_customer.selected',
      'customer.currency',
      symbolOfCustomer.as('currencySymbol'),
    ])
    .where('user_customer.user_id', '=', userId)
    .$if(onlyCustomerId !== null, (query) => query.where('customer.id', '=', onlyCustomerId))
    .orderBy('customer.label')
    .orderBy('customer.id')
    .execute()

/**
 * The user's number format and receipt address. A support session gets null as address: it does not learn where the person's receipts go.
 */
export const choicesOfUser = async (
  db: Db,
  { userId, supporter }: Pick<Actor, 'userId' | 'supporter'>,
): Promise<Pick<Profile, 'numberLocale' | 'receiptEmail'>> => {
  const { numberLocale, receiptEmail } = await db
    .selectFrom('app_user')
    .select(['number_locale as numberLocale', 'receipt_email as receiptEmail'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { numberLocale, receiptEmail: supporter === null ? receiptEmail : null }
}
