import { type Day, lastOfMonth } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { shownSymbol } from '../../db/shown-symbol.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** Services that are named; the rest of an invoice is told as one sum. */
const MAX_SERVICES = 100

/** A sum of a month in one currency: of its invoices, of their taxes, or of their lines of one service. */
export interface InvoicedSum {
  readonly month: Day
  readonly currency: string
  readonly symbol: string
  readonly part: 'total' | 'taxes' | 'service'
  /** Empty for total and taxes. */
  readonly serviceName: string
  readonly minor: number
}

/**
 * What was invoiced in these months, which are given by their first days, oldest first; one row for each month, currency and part. An
 * invoice that was taken back counts for nothing; one in the customer's favour is subtracted. Payments play no part.
 */
export const invoicedSums = async (db: Db, scope: CustomerScope, months: readonly Day[]): Promise<InvoicedSum[]> => {
  const [from, last] = [months[0] ?? '', lastOfMonth(months.at(-1) ?? '')]
  const { rows } = await sql<InvoicedSum>`
    with billed as materialized (
      select invoice.customer_id, invoice.id, to_char(invoice.issued_on, 'YYYY-MM-01') as month, invoice.currency,
        ${shownSymbol('invoice')} as symbol, invoice.amount_minor
      from invoice join customer on customer.id = invoice.customer_id
      where ${scope.owns('invoice')} and invoice.issued_on between ${from} and ${last}
        and not (invoice.status = ${INVOICE_STATUS.credited} and invoice.amount_minor > 0)
    ), of_service as (
      select month, currency, symbol, line.service_name, sum(line.amount_minor) as minor
      from billed join invoice_line line on line.customer_id = billed.customer_id and line.invoice_id = billed.id
      where ${scope.owns('line')} group by month, currency, symbol, line.service_name
    ), named as (
      select service_name from of_service group by service_name order by sum(abs(minor)) desc, service_name limit ${MAX_SERVICES}
    )
    select month, currency, symbol, 'total' as part, '' as "serviceName", sum(amount_minor)::bigint as minor
      from billed group by month, currency, symbol
    union all
    select month, currency, symbol, 'taxes', '', sum(tax.amount_minor)::bigint
      from billed join invoice_tax tax on tax.customer_id = billed.customer_id and tax.invoice_id = billed.id
      where ${scope.owns('tax')} group by month, currency, symbol
    union all
    select month, currency, symbol, 'service', service_name, minor::bigint from of_service join named using (service_name)
    order by month, currency, part, "serviceName"`.execute(db)
  return rows
}
