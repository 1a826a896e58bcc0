import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ArchiveSelection } from './archive.rules.ts'

/** Finds the invoices that an archive shall hold, oldest first: issued in the year, or with these ids. Numbers alone, no files. */
export const archivedInvoices = (db: Db, scope: CustomerScope, selection: ArchiveSelection, limit: number) =>
  db
    .selectFrom('invoice')
    .select(['id', 'number', 'generated_at as generatedAt'])
    .where(scope.owns('invoice'))
    .where((where) =>
      'year' in selection
        ? where.between('issued_on', `${selection.year}-01-01`, `${selection.year}-12-31`)
        : where('id', 'in', selection.ids),
    )
    .orderBy('issued_on')
    .orderBy('id')
    .limit(limit)
    .execute()

export type ArchivedInvoice = Awaited<ReturnType<typeof archivedInvoices>>[number]

/** The reseller's word for several invoices. */
export const invoicesLabel = async (db: Db, scope: CustomerScope): Promise<string> => {
  const { label } = await db
    .selectFrom('customer')
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .select('reseller.invoice_label_plural as label')
    .where('customer.id', '=', scope.customerId)
    .executeTakeFirstOrThrow()
  return label
}
