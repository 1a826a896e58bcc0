import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FileBill } from './check-file.ts'

/** An invoice that receives new rows of this import. */
export interface TargetInvoice {
  readonly customer: number
  readonly period: number
  readonly invoice: number
}

const targetRecords = (targets: readonly TargetInvoice[]) =>
  sql`json_to_recordset(${JSON.stringify(targets)}::json) as n(customer bigint, period bigint, invoice bigint)`

const billRecords = (bills: readonly FileBill[]) =>
  sql`json_to_recordset(${JSON.stringify(bills)}::json) as n(customer text, "startsOn" date, "endsOn" date)`

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

/**
 * The invoice for each customer and period with new rows: the last one while nothing was paid on it, else a new one with "-2" after its number.
 * Calendar months are numbered 202409-17, other periods 20240915-20241014-17, with the customer's id at the end.
 */
export const ensureOpenInvoices = async (db: Db, resellerId: number, importId: string, now: Date): Promise<TargetInvoice[]> => {
  const { rows: bills } = await sql<FileBill>`
    select customer, starts_on as "startsOn", ends_on as "endsOn" from focus_row where import_id = ${importId}
    group by customer, starts_on, ends_on`.execute(db)
  const periods = sql`
    ${billRecords(bills)}
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    join billing_period p on p.customer_id = c.id and p.external_id = ${PERIOD_KEY}`
  await sql`
    select from ${periods} join invoice i on i.customer_id = p.customer_id and i.period_id = p.id for update of i`.execute(db)
  await sql`
    insert into invoice (customer_id, external_id, number, agreement_id, period_id, currency, net_minor, amount_minor, amount_due_minor,
      issued_on, due_on, generated_at, status)
    select p.customer_id, p.external_id || further.suffix,
      case when p.starts_on = date_trunc('month', p.starts_on)::date and p.ends_on = (date_trunc('month', p.starts_on) + interval '1 month - 1 day')::date
        then to_char(p.starts_on, 'YYYYMM') else to_char(p.starts_on, 'YYYYMMDD-') || to_char(p.ends_on, 'YYYYMMDD') end
        || '-' || p.customer_id || further.suffix,
      p.agreement_id, p.id, c.currency, 0, 0, 0, p.ends_on + 1, p.ends_on + 14, ${now}, 11
    from ${periods}
    left join (
      select i.customer_id, i.period_id, count(*) as invoices,
        (array_agg(i.amount_due_minor = i.amount_minor and (i.status in (1, 11) or (i.status = 9 and i.amount_minor < 0))
          order by i.id desc))[1] as untouched
      from invoice i where i.external_id like 'focus:%' group by i.customer_id, i.period_id
    ) last on last.customer_id = p.customer_id and last.period_id = p.id
    cross join lateral (select coalesce('-' || (last.invoices + 1), '') as suffix) further
    where last.untouched is not true
    order by p.customer_id, p.starts_on`.execute(db)
  const { rows } = await sql<TargetInvoice>`
    select p.customer_id as customer, p.id as period, max(i.id) as invoice
    from ${periods} join invoice i on i.customer_id = p.customer_id and i.period_id = p.id and i.external_id like 'focus:%'
    group by p.customer_id, p.id`.execute(db)
  return rows
}

/** Adds the new rows to the transactions behind the invoices: one for each invoice and record type, with the exact sums. */
export const addTransactions = async (db: Db, resellerId: number, importId: string, targets: readonly TargetInvoice[]): Promise<void> => {
  await sql`
    insert into billing_transaction as b (customer_id, external_id, agreement_id, period_id, invoice_id, product_label, product_name,
      service_id, service_item, site_label, date_from, date_to, price, quantity)
    select c.id, 'focus:' || n.invoice || ':' || t.id, p.agreement_id, p.id, n.invoice,
      coalesce(min(r.description), t.description), coalesce(min(r.sku), min(r.category)), t.service_id,
      case when count(*) = count(r.resource) and min(r.resource) = max(r.resource) then min(r.resource) end,
      case when count(*) = count(r.site) and min(r.site) = max(r.site) then min(r.site) end,
      min((r.used_at at time zone 'UTC')::date), max((r.used_at at time zone 'UTC')::date), sum(r.price), sum(r.units)
    from focus_row r
    join customer c on c.reseller_id = ${resellerId} and c.external_id = r.customer
    join record_type t on t.reseller_id = ${resellerId} and t.external_id = r.record_type
    join billing_period p on p.customer_id = c.id and p.starts_on = r.starts_on and p.ends_on = r.ends_on and p.external_id like 'focus:%'
    join ${targetRecords(targets)} on n.customer = c.id and n.period = p.id
    where r.import_id = ${importId}
    group by c.id, p.customer_id, p.id, n.invoice, t.id
    order by c.id, n.invoice, t.service_id, t.id
    on conflict (customer_id, external_id) do update set
      price = b.price + excluded.price,
      quantity = b.quantity + excluded.quantity,
      date_from = least(b.date_from, excluded.date_from),
      date_to = greatest(b.date_to, excluded.date_to),
      service_item = case when b.service_item = excluded.service_item then b.service_item end,
      site_label = case when b.site_label = excluded.site_label then b.site_label end`.execute(db)
}

/** Rewrites the invoices' lines from their transactions: one for each service, rounded half away from zero. */
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
      p.starts_on, p.ends_on, round(b.price * 10 ^ d.digits)
    from (
      select n.customer, n.period, n.invoice, b.service_id, sum(b.price) as price
      from ${targetRecords(targets)}
      join billing_transaction b on b.customer_id = n.customer and b.period_id = n.period and b.invoice_id = n.invoice
      group by n.customer, n.period, n.invoice, b.service_id
    ) b
    join invoice i on i.customer_id = b.customer and i.id = b.invoice
    join billing_period p on p.customer_id = b.customer and p.id = b.period
    join json_to_recordset(${JSON.stringify(currencies)}::json) as d(currency text, digits numeric) on d.currency = i.currency
    join service s on s.id = b.service_id`.execute(db)
}

/**
 * Sets the invoices' amounts to the sums of their lines: open when positive, paid when zero, credited when negative.
 * The opening balance is the sum of what is due.
 */
export const updateInvoiceAmounts = async (db: Db, targets: readonly TargetInvoice[], now: Date): Promise<void> => {
  await sql`
    update invoice i set net_minor = l.amount, amount_minor = l.amount, amount_due_minor = l.amount, generated_at = ${now},
      status = case sign(l.amount) when 0 then 11 when 1 then 1 else 9 end
    from (
      select n.customer, n.invoice, sum(l.amount_minor)::bigint as amount
      from ${targetRecords(targets)} join invoice_line l on l.customer_id = n.customer and l.invoice_id = n.invoice
      group by n.customer, n.invoice
    ) l
    where i.customer_id = l.customer and i.id = l.invoice`.execute(db)
  await sql`
    insert into opening_balance (customer_id, balance_minor, as_of_on)
    select i.customer_id, sum(i.amount_due_minor), max(i.issued_on)
    from (select distinct customer from ${targetRecords(targets)}) n join invoice i on i.customer_id = n.customer
    group by i.customer_id
    on conflict (customer_id) do update set balance_minor = excluded.balance_minor, as_of_on = excluded.as_of_on`.execute(db)
}

/** The invoices that need a token for online payment; none when the reseller takes no payments. */
export const findInvoicesWithoutPayToken = async (
  db: Db,
  resellerId: number,
  targets: readonly TargetInvoice[],
): Promise<TargetInvoice[]> => {
  const { rows } = await sql<TargetInvoice>`
    select n.customer, n.period, n.invoice
    from ${targetRecords(targets)}
    join invoice i on i.customer_id = n.customer and i.id = n.invoice
    join reseller r on r.id = ${resellerId} and r.payments_enabled
    where i.pay_token is null`.execute(db)
  return rows
}

export const setPayTokens = async (db: Db, tokens: readonly { customer: number; invoice: number; token: string }[]): Promise<void> => {
  await sql`
    update invoice i set pay_token = n.token
    from json_to_recordset(${JSON.stringify(tokens)}::json) as n(customer bigint, invoice bigint, token text)
    where i.customer_id = n.customer and i.id = n.invoice`.execute(db)
}

/** The totals of the invoices of the file's customers and periods, by currency. */
export const sumInvoices = async (
  db: Db,
  resellerId: number,
  bills: readonly FileBill[],
): Promise<{ currency: string; invoices: number; minor: number }[]> => {
  const { rows } = await sql<{ currency: string; invoices: number; minor: number }>`
    select i.currency, count(*) as invoices, sum(i.amount_minor)::bigint as minor
    from ${billRecords(bills)}
    join customer c on c.reseller_id = ${resellerId} and c.external_id = n.customer
    join billing_period p on p.customer_id = c.id and p.external_id = ${PERIOD_KEY}
    join invoice i on i.customer_id = p.customer_id and i.period_id = p.id and i.external_id like 'focus:%'
    group by i.currency order by i.currency`.execute(db)
  return rows
}
