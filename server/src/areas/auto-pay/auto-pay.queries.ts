import type { ResellerCharge } from '@counterfoil/contract/auto-pay'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/**
 * Reads whether the reseller may charge this customer's default method: allowed, whatever the customer chose, where the reseller requires
 * no permission. Comes with the reseller's settings about charging.
 */
export const readChargeConsent = (db: Db, scope: CustomerScope): Promise<ResellerCharge> =>
  db
    .selectFrom('customer')
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .select([
      // Where no permission is required, charging is allowed whatever the customer chose before.
      sql<boolean>`customer.allow_reseller_charge or not coalesce(reseller.customer_permission_for_charging, true)`.as(
        'allowResellerCharge',
      ),
      'reseller.hide_payment_types_for_customer_users as hidePaymentTypesForCustomerUsers',
      sql<boolean>`coalesce(reseller.customer_permission_for_charging, true)`.as('requireCustomerPermissionForCharging'),
      'reseller.confirmation_message_for_charging as confirmationMessageForCharging',
    ])
    .where(scope.owns('customer', 'id'))
    .executeTakeFirstOrThrow()

/** Stores whether the customer allows the reseller to charge the default method; the audit log is the caller's. */
export const updateChargeConsent = async (db: Db, scope: CustomerScope, isAllowed: boolean): Promise<void> => {
  await db.updateTable('customer').set({ allow_reseller_charge: isAllowed }).where(scope.owns('customer', 'id')).execute()
}
