import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables/tables.ts'
import type { FeeRule } from './fees.rules.ts'

/**
 * Reads which provider and methods a reseller takes payments with. Credentials and fees are stored elsewhere.
 * @throws NoResultError without such a reseller
 */
export const readPaymentSettings = (db: Db, resellerId: number) =>
  db
    .selectFrom('reseller')
    .select([
      'payment_type as type',
      'payment_provider as provider',
      'payments_enabled as isEnabled',
      'payments_bulk as isBulk',
      'publishable_key as publishableKey',
      'direct_debit_payment_method_id as debitId',
      'payment_raw_card as rawCard',
      'customer_permission_for_charging as askPermission',
      'confirmation_message_for_charging as permissionText',
      'hide_payment_types_for_customer_users as hidePaymentTypes',
      'payment_type_disclaimer as disclaimer',
      'payment_email_receipt as receipts',
      'payment_billing_address_required as billingAddress',
      'payment_cardholder_required as cardHolder',
    ])
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow()

/** The account that a reseller uses at a provider; undefined when it has none. */
export const findStoredAccount = (db: Db, resellerId: number, provider: string) =>
  db
    .selectFrom('payment_account')
    .select(['id', 'base_url as baseUrl', 'sealed'])
    .where('reseller_id', '=', resellerId)
    .where('provider', '=', provider)
    .where('replaced_at', 'is', null)
    .$narrowType<{ sealed: Buffer }>()
    .executeTakeFirst()

export type PaymentSettingsUpdate = Partial<
  Pick<
    Insertable<Tables['reseller']>,
    | 'payment_type'
    | 'payments_enabled'
    | 'payments_bulk'
    | 'publishable_key'
    | 'direct_debit_payment_method_id'
    | 'payment_raw_card'
    | 'customer_permission_for_charging'
    | 'confirmation_message_for_charging'
    | 'hide_payment_types_for_customer_users'
    | 'payment_type_disclaimer'
    | 'payment_email_receipt'
    | 'payment_billing_address_required'
    | 'payment_cardholder_required'
  >
>

/** Writes the given columns of the reseller's payment settings; the others stay. */
export const updatePaymentSettings = async (db: Db, resellerId: number, update: PaymentSettingsUpdate): Promise<void> => {
  if (Object.keys(update).length > 0) await db.updateTable('reseller').set(update).where('id', '=', resellerId).execute()
}

/** Replaces the fee rule of that line and currency; a rule that adds nothing is deleted. */
export const replaceFeeRule = async (db: Db, resellerId: number, { line, currency, percent, fixedMinor }: FeeRule): Promise<void> => {
  await sql`delete from payment_fee_rule where reseller_id = ${resellerId} and line = ${line} and currency = ${currency}`.execute(db)
  if (fixedMinor === 0 && !/[1-9]/.test(percent)) return
  await sql`insert into payment_fee_rule (reseller_id, line, currency, percent, fixed_minor)
    values (${resellerId}, ${line}, ${currency}, ${percent}::numeric, ${fixedMinor})`.execute(db)
}
