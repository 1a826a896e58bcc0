import { type ExtraFieldLabels, MAX_TRANSACTIONS } from '@counterfoil/contract/transactions'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** True when the customer has a billing period with this id. */
export const hasPeriod = async (db: Db, scope: CustomerScope, id: number): Promise<boolean> =>
  (await db.selectFrom('billing_period').select('id').where(scope.owns('billing_period')).where('id', '=', id).executeTakeFirst()) !==
  undefined

/** The transactions of a period, in the order in which they were billed. */
export const transactionRows = (db: Db, scope: CustomerScope, periodId: number) =>
  db
    .selectFrom('billing_transaction as t')
    .innerJoin('customer', 'customer.id', 't.customer_id')
    .leftJoin('service', 'service.id', 't.service_id')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 't.customer_id').onRef('invoice.id', '=', 't.invoice_id'))
    .select([
      't.id',
      't.product_label as productLabel',
      't.product_name as productName',
      'service.name as serviceName',
      't.service_item as serviceItem',
      't.site_label as siteLabel',
      'invoice.number as invoiceNumber',
      't.date_from as dateFrom',
      't.date_to as dateTo',
      't.price',
      sql<string>`coalesce(invoice.currency, customer.currency)`.as('currency'),
      't.quantity',
      't.extra_field1 as extraField1',
      't.extra_field2 as extraField2',
      't.extra_field3 as extraField3',
      't.extra_field4 as extraField4',
      't.extra_field5 as extraField5',
    ])
    .where(scope.owns('t'))
    .where('t.period_id', '=', periodId)
    .orderBy('t.id')
    .limit(MAX_TRANSACTIONS)
    .execute()

export type TransactionRow = Awaited<ReturnType<typeof transactionRows>>[number]

/** The reseller's labels of the extra fields. */
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
