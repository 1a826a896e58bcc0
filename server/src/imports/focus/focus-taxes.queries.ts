import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { TAX_CATEGORY } from './focus.rules.ts'
import { joinTargets, targetRecords, type TargetInvoice } from './focus-invoices.queries.ts'
import type { StoredSum } from './focus-usage.queries.ts'

/** Inserts the staged taxes as charges of their invoices, which stay as they are until writeInvoiceTaxes. @returns the stored sums */
export const insertTaxCharges = async (
  db: Db,
  resellerId: number,
  importId: string,
  targets: readonly TargetInvoice[],
): Promise<StoredSum[]> => {
  const { rows } = await sql<StoredSum>`
    with made as (
      insert into invoice_tax_charge (customer_id, external_id, invoice_id, name, amount)
      select c.id, r.key, n.invoice, left(coalesce(r.description, 'Tax'), 256), r.price
      from focus_row r
      join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
      ${joinTargets(targets)}
      where r.import_id = ${importId} and r.category = ${TAX_CATEGORY}
      order by c.id, r.line
      returning customer_id, amount
    )
    select c.currency, count(*) as rows, sum(made.amount)::text as sum
    from made join customer c on c.id = made.customer_id group by c.currency`.execute(db)
  return rows
}

/**
 * Deletes the invoices' taxes and writes them anew from the tax charges: one for each name, rounded half away from zero, with no rate,
 * since the file has none.
 */
export const writeInvoiceTaxes = async (
  db: Db,
  targets: readonly TargetInvoice[],
  currencies: readonly { currency: string; digits: number }[],
): Promise<void> => {
  await sql`
    delete from invoice_tax t using ${targetRecords(targets)} where t.customer_id = n.customer and t.invoice_id = n.invoice`.execute(db)
  await sql`
    insert into invoice_tax (customer_id, invoice_id, tax_no, name, amount_minor)
    select i.customer_id, i.id, row_number() over (partition by i.customer_id, i.id order by t.name), t.name, round(t.amount * 10 ^ d.digits)
    from (
      select n.customer, n.invoice, t.name, sum(t.amount) as amount
      from ${targetRecords(targets)} join invoice_tax_charge t on t.customer_id = n.customer and t.invoice_id = n.invoice
      group by n.customer, n.invoice, t.name
    ) t
    join invoice i on i.customer_id = t.customer and i.id = t.invoice
    join json_to_recordset(${JSON.stringify(currencies)}::json) as d(currency text, digits numeric) on d.currency = i.currency`.execute(db)
}
