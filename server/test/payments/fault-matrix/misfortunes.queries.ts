import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Db } from '../../../src/db/database.ts'
import { requestCancelOfChanged } from '../../../src/payments/engine/sweep.queries.ts'
import { upsertMethod } from '../../../src/payments/methods/stored-methods.queries.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'

/** Changes what is due of an invoice, as an import does. Runs as counterfoil_reseller. */
export const changeInvoice = async (
  db: Db,
  { customerId }: CustomerScope,
  { id, dueMinor, now }: { id: number; dueMinor: number; now: Date },
): Promise<void> => {
  await db
    .updateTable('invoice')
    .set({ amount_due_minor: dueMinor, status: dueMinor === 0 ? INVOICE_STATUS.paid : INVOICE_STATUS.open })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute()
  await requestCancelOfChanged(db, now)
}

/** Stores the default method that autopay charges, and the consent to it. Runs as counterfoil_reseller. @returns the method's id */
export const allowAutopay = async (db: Db, payer: CustomerScope, token: string, now: Date): Promise<string> => {
  const account = await db
    .selectFrom('payment_account')
    .select('id')
    .where('reseller_id', '=', payer.resellerId)
    .where('replaced_at', 'is', null)
    .executeTakeFirstOrThrow()
  const method = { token, kind: 'card', type: 'card', details: {}, status: 'ready', id: randomUUID(), addedAt: now } as const
  const id = await upsertMethod(db, payer, account.id, method)
  await db
    .updateTable('payment_method')
    .set({ is_default: true })
    .where('customer_id', '=', payer.customerId)
    .where('id', '=', id)
    .execute()
  await setConsent(db, payer, true)
  return id
}

/** Gives or withdraws the consent to autopay. Runs as counterfoil_reseller. */
export const setConsent = async (db: Db, { customerId }: CustomerScope, isGiven: boolean): Promise<void> => {
  await db.updateTable('customer').set({ allow_reseller_charge: isGiven }).where('id', '=', customerId).execute()
}

/** Removes all stored methods. Runs as counterfoil_reseller. */
export const removeMethods = async (db: Db, { customerId }: CustomerScope, now: Date): Promise<void> => {
  await db
    .updateTable('payment_method')
    .set({ removed_at: now, is_default: false })
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .execute()
}

/** Adds a fee to what is paid by card and by debit. Runs as counterfoil_reseller. */
export const addFees = async (db: Db, { resellerId: reseller_id }: CustomerScope, fixed_minor: number): Promise<void> => {
  const rows = (['CREDIT_CARD_FEE', 'DIRECT_DEBIT_FEE'] as const).map((line) => ({
    reseller_id,
    line,
    currency: 'AUD',
    fixed_minor,
    percent: '0',
  }))
  await db.insertInto('payment_fee_rule').values(rows).execute()
}

/** Runs as counterfoil_reseller. */
export const removeFees = async (db: Db, { resellerId }: CustomerScope): Promise<void> => {
  await db.deleteFrom('payment_fee_rule').where('reseller_id', '=', resellerId).execute()
}
