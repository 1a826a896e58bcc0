import { type ExtraFieldLabels, MAX_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** True when the customer has a billing period with this id. */
export const hasPeriod = async (db: Db, scope: CustomerScope, id: number): Promise<boolean> =>
  (await db.selectFrom('billing_period').select('id').where(scope.owns('billing_period')).where('id', '=', id).executeTakeFirst()) !==
  undefined

/** A transaction with its exact decimals. */
export type TransactionRow = Omit<Transaction, 'price' | 'quantity'> & { readonly price: string; readonly quantity: string }

/** Lists the billed transactions (products and their prices, no payments) of a billing period, in the order in which they were billed. */
export const listTransactionRows = async (db: Db, scope: CustomerScope, periodId: number): Promise<TransactionRow[]> => {
  const { rows } = await sql<TransactionRow>`
    select t.id, t.product_label as "productLabel", t.product_name as "productName", service.name as "serviceName",
      t.service_item as "serviceItem", t.site_label as "siteLabel", invoice.number as "invoiceNumber", t.date_from as "dateFrom",
      t.date_to as "dateTo", t.price, coalesce(invoice.currency, customer.currency) as currency, t.quantity, t.extra_field1 as "extraField1",
      t.extra_field2 as "extraField2", t.extra_field3 as "extraField3", t.extra_field4 as "extraField4", t.extra_field5 as "extraField5"
    from billing_transaction t join customer on customer.id = t.customer_id left join service on service.id = t.service_id
    left join invoice on invoice.customer_id = t.customer_id and invoice.id = t.invoice_id
    where ${scope.owns('t')} and t.period_id = ${periodId} order by t.id limit ${MAX_TRANSACTIONS}`.execute(db)
  return rows
}

/** The reseller's labels of the transactions' extra fields. */
export const extraFieldLabels = (db: Db, scope: CustomerScope): Promise<ExtraFieldLabels[]> =>
  db
    .selectFrom('extra_field_label')
    .select([
      'extra_field_type_id as extraFieldTypeId',
      'extra_field1 as extraField1',
      'extra_field2 as extraField2',
      'extra_field3 as extraField3',
      'extra_field4 as extraField4',
      'extra_field5 as extraField5',
    ])
    .where('reseller_id', '=', scope.resellerId)
    .orderBy('extra_field_type_id')
    .limit(100)
    .execute()
