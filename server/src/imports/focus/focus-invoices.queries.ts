import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { dueMinor, storedDebtFault } from '../../db/constraints/invoice-debt.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { FileBill } from './check-file.ts'
import { unpaidStatus } from '../invoice-debt.rules.ts'
import { TAX_CATEGORY } from './focus.rules.ts'

/** An invoice that receives new rows of this import. */
export interface TargetInvoice {
  readonly customer: number
  /** The provider's number; null for the invoice of a period. */
  readonly number: string | null
  readonly period: number
  readonly invoice: number
}

/** SQL: the invoices as the relation `n`. */
export const targetRecords = (targets: readonly TargetInvoice[]) =>
  sql`json_to_recordset(${JSON.stringify(targets)}::json) as n(customer bigint, number text, period bigint, invoice bigint)`

/** SQL: the bills as the relation `n`. */
const billRecords = (bills: readonly FileBill[]) =>
  sql`json_to_recordset(${JSON.stringify(bills)}::json) as n(customer text, "startsOn" date, "endsOn" date, number text)`

/** SQL that joins the staged rows `r` of the customers `c` to their billing period `p` and target invoice `n`. */
export const joinTargets = (targets: readonly TargetInvoice[]) => sql`
    join billing_period p on p.customer_id = c.id and p.starts_on = r.starts_on and p.ends_on = r.ends_on and p.external_id like 'focus:%'
    join ${targetRecords(targets)} on n.customer = c.id and n.number is not distinct from r.invoice_number
      and (n.number is not null or n.period = p.id)`

const PERIOD_KEY = sql`'focus:' || to_char(n."startsOn", 'YYYY-MM-DD') || '/' || to_char(n."endsOn", 'YYYY-MM-DD')`

/** Inserts the billing periods of the file that its customers do not have yet. */
export const insertPeriods = async (db: Db, resellerId: number, bills: readonly FileBill[]): Promise<void> => {
  await sql`
    insert into billing_period (customer_id, external_id, agreement_id, starts_on, ends_on)
    select c.id, ${PERIOD_KEY}, a.id, n."startsOn", n."endsOn"
    from ${billRecords(bills)}
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    join agreement a on a.customer_id = c.id and a.external_id = 'focus'
    order by c.id, n."startsOn"
    on conflict (customer_id, external_id) do nothing`.execute(db)
}

/** Whether the invoice `i` is the one for the bill `n` of the period `p`: by the provider's number, else by the period. */
const IS_INVOICE_OF_BILL = sql`i.customer_id = p.customer_id and i.external_id like 'focus:%'
  and i.provider_number is not distinct from n.number and (n.number is not null or i.period_id = p.id)`

/**
 * The bills (customer, period, provider's invoice number) of the staged rows. The provider's invoice stands under the first of its periods.
 */
const findStagedBills = async (db: Db, importId: string): Promise<FileBill[]> => {
  const { rows } = await sql<FileBill>`
    select distinct on (customer, invoice_number, own_start, own_end) customer, invoice_number as number, starts_on as "startsOn",
      ends_on as "endsOn"
    from (
      select customer, invoice_number, starts_on, ends_on, case when invoice_number is null then starts_on end as own_start,
        case when invoice_number is null then ends_on end as own_end
      from focus_row where import_id = ${importId}
      group by customer, invoice_number, starts_on, ends_on
    ) r
    order by customer, invoice_number, own_start, own_end, starts_on, ends_on`.execute(db)
  return rows
}

/**
 * Finds, locks or inserts the invoice for each bill with new rows: the last one while nothing was paid on it, else a new one with "-2"
 * after its number. New ones have an amount of 0 as yet. An invoice has the provider's number where the file names one. Else calendar
 * months are numbered 202409-17, other periods 20240915-20241014-17, with the customer's id at the end.
 * @throws OperatorError when another invoice of the customer has the number
 */
export const ensureOpenInvoices = async (db: Db, resellerId: number, importId: string, now: Date): Promise<TargetInvoice[]> => {
  const bills = await findStagedBills(db, importId)
  const periods = sql`
    ${billRecords(bills)}
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    join billing_period p on p.customer_id = c.id and p.external_id = ${PERIOD_KEY}`
  await sql`
    select from ${periods} join invoice i on ${IS_INVOICE_OF_BILL} for update of i`.execute(db)
  const { rows: taken } = await sql<{ customer: string; number: string }>`
    with wanted as (
      select n.customer, p.*, c.currency, n.number as provider_number, coalesce(last.invoices, 0) + 1 as ordinal
      from ${periods}
      left join (
        select i.customer_id, i.provider_number, case when i.provider_number is null then i.period_id end as period_id, count(*) as invoices,
          (array_agg(i.amount_due_minor = i.amount_minor and (i.status in (1, 11) or (i.status = 9 and i.amount_minor < 0))
            order by i.id desc))[1] as untouched
        from invoice i where i.external_id like 'focus:%' group by 1, 2, 3
      ) last on last.customer_id = p.customer_id and last.provider_number is not distinct from n.number
        and (n.number is not null or last.period_id = p.id)
      where last.untouched is not true
    ), named as (
      select w.*, coalesce(w.provider_number,
          case when w.starts_on = date_trunc('month', w.starts_on)::date
              and w.ends_on = (date_trunc('month', w.starts_on) + interval '1 month - 1 day')::date
            then to_char(w.starts_on, 'YYYYMM') else to_char(w.starts_on, 'YYYYMMDD-') || to_char(w.ends_on, 'YYYYMMDD') end
          || '-' || w.customer_id) || case when w.ordinal > 1 then '-' || w.ordinal else '' end as number,
        case when w.provider_number is null then w.external_id || case when w.ordinal > 1 then '-' || w.ordinal else '' end
          else 'focus:invoice:' || w.ordinal || ':' || w.provider_number end as invoice_external_id
      from wanted w
    ), made as (
      insert into invoice (customer_id, external_id, number, provider_number, agreement_id, period_id, currency, net_minor, amount_minor,
        amount_due_minor, issued_on, due_on, generated_at, status)
      select customer_id, invoice_external_id, number, provider_number, agreement_id, id, currency, 0, 0, 0, ends_on + 1, ends_on + 14, ${now}, 11
      from named order by customer_id, starts_on, provider_number
      on conflict do nothing
      returning customer_id, number
    )
    select w.customer, w.number from named w
    where not exists (select from made m where m.customer_id = w.customer_id and m.number = w.number)
    order by w.customer, w.number limit 1`.execute(db)
  const [first] = taken
  if (first !== undefined)
    throw new OperatorError(`Customer ${first.customer} already has another invoice with the number ${first.number}. Nothing was imported.`)
  const { rows } = await sql<TargetInvoice>`
    select distinct on (p.customer_id, n.number, case when n.number is null then p.id end) p.customer_id as customer, n.number,
      i.period_id as period, i.id as invoice
    from ${periods} join invoice i on ${IS_INVOICE_OF_BILL}
    order by p.customer_id, n.number, case when n.number is null then p.id end, i.id desc`.execute(db)
  return rows
}

/** Adds the new usage to the transactions behind the invoices: one for each invoice and record type, with the exact sums. */
export const addTransactions = async (db: Db, resellerId: number, importId: string, targets: readonly TargetInvoice[]): Promise<void> => {
  await sql`
    insert into billing_transaction as b (customer_id, external_id, agreement_id, period_id, invoice_id, product_label, product_name,
      service_id, service_item, site_label, date_from, date_to, price, quantity)
    select c.id, 'focus:' || n.invoice || ':' || t.id || case when p.id = n.period then '' else ':' || p.id end, p.agreement_id, p.id, n.invoice,
      coalesce(min(r.description), t.description), coalesce(min(r.sku), min(r.category)), t.service_id,
      case when count(*) = count(r.resource) and min(r.resource) = max(r.resource) then min(r.resource) end,
      case when count(*) = count(r.site) and min(r.site) = max(r.site) then min(r.site) end,
      min((r.used_at at time zone 'UTC')::date), max((r.used_at at time zone 'UTC')::date), sum(r.price), sum(r.units)
    from focus_row r
    join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
    join record_type t on t.reseller_id = ${resellerId} and t.external_id = r.record_type
    ${joinTargets(targets)}
    where r.import_id = ${importId} and r.category <> ${TAX_CATEGORY}
    group by c.id, p.customer_id, p.id, n.invoice, n.period, t.id
    order by c.id, n.invoice, t.service_id, t.id
    on conflict (customer_id, external_id) do update set
      price = b.price + excluded.price,
      quantity = b.quantity + excluded.quantity,
      date_from = least(b.date_from, excluded.date_from),
      date_to = greatest(b.date_to, excluded.date_to),
      service_item = case when b.service_item = excluded.service_item then b.service_item end,
      site_label = case when b.site_label = excluded.site_label then b.site_label end`.execute(db)
}

/** Deletes the invoices' lines and writes them anew from the invoices' transactions: one for each service, rounded half away from zero. */
export const writeInvoiceLines = async (
  db: Db,
  targets: readonly TargetInvoice[],
  currencies: readonly { currency: string; digits: number }[],
): Promise<void> => {
  await sql`
    delete from invoice_line l using ${targetRecords(targets)} where l.customer_id = n.customer and l.invoice_id = n.invoice`.execute(db)
  await sql`
    insert into invoice_line (customer_id, invoice_id, line_no, service_name, description, from_on, to_on, amount_minor)
    select i.customer_id, i.id, row_number() over (partition by i.customer_id, i.id order by s.name, s.id), s.name, 'Usage and charges',
      b.starts_on, b.ends_on, round(b.price * 10 ^ d.digits)
    from (
      select n.customer, n.invoice, b.service_id, sum(b.price) as price, min(p.starts_on) as starts_on, max(p.ends_on) as ends_on
      from ${targetRecords(targets)}
      join billing_transaction b on b.customer_id = n.customer and b.invoice_id = n.invoice
      join billing_period p on p.customer_id = b.customer_id and p.id = b.period_id
      group by n.customer, n.invoice, b.service_id
    ) b
    join invoice i on i.customer_id = b.customer and i.id = b.invoice
    join json_to_recordset(${JSON.stringify(currencies)}::json) as d(currency text, digits numeric) on d.currency = i.currency
    join service s on s.id = b.service_id`.execute(db)
}

/**
 * Sets the invoices' amounts and amounts due to the sums of their lines and taxes: open when positive, paid when zero, a credit note when
 * negative. Also stores the customers' opening balances: the sum of what is due in the customer's currency; credit is not taken off it.
 */
export const updateInvoiceAmounts = async (db: Db, targets: readonly TargetInvoice[], now: Date): Promise<void> => {
  await sql`
    update invoice i set net_minor = s.net, amount_minor = s.net + s.tax, amount_due_minor = s.net + s.tax, generated_at = ${now},
      status = ${unpaidStatus(sql`s.net + s.tax`)}
    from (
      select n.customer, n.invoice,
        coalesce((select sum(l.amount_minor) from invoice_line l where l.customer_id = n.customer and l.invoice_id = n.invoice), 0)::bigint as net,
        coalesce((select sum(t.amount_minor) from invoice_tax t where t.customer_id = n.customer and t.invoice_id = n.invoice), 0)::bigint as tax
      from ${targetRecords(targets)}
    ) s
    where i.customer_id = s.customer and i.id = s.invoice`.execute(db)
  await sql`
    insert into opening_balance (customer_id, balance_minor, as_of_on)
    select i.customer_id, sum(${dueMinor('i')}), max(i.issued_on)
    from (select distinct customer from ${targetRecords(targets)}) n join customer c on c.id = n.customer
    join invoice i on i.customer_id = c.id and i.currency = c.currency
    group by i.customer_id
    on conflict (customer_id) do update set balance_minor = excluded.balance_minor, as_of_on = excluded.as_of_on`.execute(db)
}

/** Finds those of the invoices that need a token for online payment; none when the reseller takes no payments. */
export const findInvoicesWithoutPayToken = async (
  db: Db,
  resellerId: number,
  targets: readonly TargetInvoice[],
): Promise<TargetInvoice[]> => {
  const { rows } = await sql<TargetInvoice>`
    select n.customer, n.number, n.period, n.invoice
    from ${targetRecords(targets)}
    join invoice i on i.customer_id = n.customer and i.id = n.invoice
    join reseller r on r.id = ${resellerId} and r.payments_enabled
    where i.pay_token_hash is null and ${storedDebtFault('i')} is null`.execute(db)
  return rows
}

/** The number and the total of the invoices of the file's customers and periods, by currency, those of earlier imports too. */
export const sumInvoices = async (
  db: Db,
  resellerId: number,
  bills: readonly FileBill[],
): Promise<{ currency: string; invoices: number; minor: number }[]> => {
  const { rows } = await sql<{ currency: string; invoices: number; minor: number }>`
    select i.currency, count(*) as invoices, sum(i.amount_minor)::bigint as minor
    from invoice i join (
      select distinct i.customer_id, i.id
      from ${billRecords(bills)}
      join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
      join billing_period p on p.customer_id = c.id and p.external_id = ${PERIOD_KEY}
      join invoice i on i.customer_id = p.customer_id and (i.period_id = p.id or i.provider_number = n.number) and i.external_id like 'focus:%'
    ) found on found.customer_id = i.customer_id and found.id = i.id
    group by i.currency order by i.currency`.execute(db)
  return rows
}
