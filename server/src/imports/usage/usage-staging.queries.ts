import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import type { LoadTarget } from '../../kit/load-rows.ts'

const lineTable = (loadId: string): string => `usage_load_${loadId.replaceAll('-', '')}_line`
/** The table of a load's rows. */
export const stagedRows = (loadId: string): RawBuilder<unknown> => sql.table(`usage_load_${loadId.replaceAll('-', '')}_row`)
const lines = (loadId: string): RawBuilder<unknown> => sql.table(lineTable(loadId))

/** Where the records of a load go: a line, the reason why it is no record, and the fields in the order of USAGE_FIELDS. */
export const stagingTarget = (loadId: string): LoadTarget => ({
  table: lineTable(loadId),
  columns: [
    { name: 'line', type: 'bigint' },
    ...['reason', 'external_id', 'customer'].map((name) => ({ name, type: 'text' })),
    { name: 'used_at', type: 'timestamptz' },
    ...['service', 'record_type', 'agreement', 'service_item', 'service_item2', 'service_item3', 'site', 'cost_centre'].map((name) => ({
      name,
      type: 'text',
    })),
    { name: 'units', type: 'numeric' },
    { name: 'price', type: 'numeric' },
  ],
})

/** Begins a load, and removes what dead ones left. */
export const openLoad = async (db: Db, loadId: string): Promise<void> => {
  await sql`select open_usage_load(${loadId}::uuid)`.execute(db)
}

/** Ends a load: its tables go with it. */
export const closeLoad = async (db: Db, loadId: string): Promise<void> => {
  await sql`select close_usage_load(${loadId}::uuid)`.execute(db)
}

/** A long statement may take its time, and has memory to sort in. @returns false when another load took this one for dead */
export const goOnWith = async (db: Db, loadId: string): Promise<boolean> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local work_mem = '64MB'`.execute(db)
  const { numAffectedRows } = await sql`update usage_load set alive_at = now() where id = ${loadId}::uuid`.execute(db)
  return numAffectedRows === 1n
}

/** Lets the planner know the staged lines, or the rows that were made of them. */
export const measure = async (db: Db, loadId: string, part: 'line' | 'row'): Promise<void> => {
  await sql`select measure_usage_load(${loadId}::uuid, ${part})`.execute(db)
}

/** So many lines may be looked up one by one. */
const FEW_LINES = 5_000

/** An external id goes before a name, and of several things that both fit none is meant. */
const meant = (key: RawBuilder<unknown>, candidates: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${key}, min(id) as id, count(*) as n
  from (select *, rank() over (partition by ${key} order by rank) as place from (${candidates}) found) ranked where place = 1 group by ${key}`

/**
 * Finds out what the staged lines refer to, and lays them down in the order in which they will be inserted: by customer and instant.
 * What stands in the way of a line is noted beside it.
 * @param count how many lines there are: of many, the planner cannot tell how few different things they name, and would compare each with each
 */
export const resolveLines = async (db: Db, loadId: string, count: number): Promise<void> => {
  if (count > FEW_LINES) await sql`set local enable_nestloop = off`.execute(db)
  await sql`
    insert into ${stagedRows(loadId)} (line, fault, named, customer_id, external_id, used_at, service_id, record_type_id, agreement_id, service_item_id,
      service_item2, service_item3, site, cost_centre, units, price)
    with customer_key as materialized (${meant(
      sql`customer`,
      sql`select external_id as customer, id, 1 as rank from customer where external_id is not null union all select id::text, id, 2 from customer`,
    )}), service_key as materialized (${meant(
      sql`service`,
      sql`select external_id as service, id, 1 as rank from service where external_id is not null union all select name, id, 2 from service`,
    )}), type_key as materialized (${meant(
      sql`service_id, record_type`,
      sql`select service_id, external_id as record_type, id, 1 as rank from record_type where external_id is not null
        union all select service_id, description, id, 2 from record_type`,
    )}), wanted_agreement as materialized (
      select l.customer, l.agreement, c.id as customer_id
      from (select distinct customer, agreement from ${lines(loadId)} where agreement is not null) l
      join customer_key c on c.customer = l.customer
    ), agreement_key as materialized (${meant(
      sql`customer, agreement`,
      sql`
        select w.customer, w.agreement, a.id, 1 as rank
        from wanted_agreement w join agreement a on a.customer_id = w.customer_id and a.external_id = w.agreement
        union all
        select w.customer, w.agreement, a.id, 2 from wanted_agreement w join agreement a on a.customer_id = w.customer_id and a.name = w.agreement`,
    )}), wanted_item as materialized (
      select l.customer, l.service, l.service_item, c.id as customer_id, s.id as service_id
      from (select distinct customer, service, service_item from ${lines(loadId)} where service_item is not null) l
      join customer_key c on c.customer = l.customer
      join service_key s on s.service = l.service
    ), item_key as materialized (${meant(
      sql`customer, service, service_item`,
      sql`
        select w.customer, w.service, w.service_item, i.id, 1 as rank
        from wanted_item w join service_item i on i.customer_id = w.customer_id and i.external_id = w.service_item and i.service_id = w.service_id
        union all
        select w.customer, w.service, w.service_item, i.id, 2
        from wanted_item w join service_item i on i.customer_id = w.customer_id and i.service_id = w.service_id and i.service_item = w.service_item`,
    )}), judged as (
      select l.*, c.id as customer_id, s.id as service_id, t.id as record_type_id, a.id as agreement_id, i.id as service_item_id,
        case
          when l.reason is not null then 'line'
          when c.id is null then 'customer'
          when s.id is null then 'service' when s.n > 1 then 'services'
          when t.id is null then 'recordType' when t.n > 1 then 'recordTypes'
          when l.agreement is not null and a.id is null then 'agreement' when a.n > 1 then 'agreements'
          when l.service_item is not null and i.id is null then 'serviceItem' when i.n > 1 then 'serviceItems'
        end as fault
      from ${lines(loadId)} l
      left join customer_key c on c.customer = l.customer
      left join service_key s on s.service = l.service
      left join type_key t on t.service_id = s.id and t.record_type = l.record_type
      left join agreement_key a on a.customer = l.customer and a.agreement = l.agreement
      left join item_key i on i.customer = l.customer and i.service = l.service and i.service_item = l.service_item
    )
    select line, fault,
      case when fault = 'line' then reason when fault = 'customer' then customer when fault in ('service', 'services') then service
        when fault in ('recordType', 'recordTypes') then record_type when fault in ('agreement', 'agreements') then agreement
        when fault is not null then service_item end,
      customer_id, external_id, used_at, service_id, record_type_id, agreement_id, service_item_id,
      service_item2, service_item3, site, cost_centre, units, price
    from judged order by customer_id, used_at, external_id, line`.execute(db)
}

/** Of the good rows that bear the external id of an earlier one of the same customer, those that say something else become bad. */
export const rejectContradictions = async (db: Db, loadId: string): Promise<void> => {
  await sql`
    with twin as materialized (
      select customer_id, external_id, min(line) as first from ${stagedRows(loadId)} where fault is null group by 1, 2 having count(*) > 1
    ), original as materialized (
      select r.* from ${stagedRows(loadId)} r join twin t on t.first = r.line
    )
    update ${stagedRows(loadId)} r set fault = 'externalId', named = o.line::text
    from original o
    where r.fault is null and r.customer_id = o.customer_id and r.external_id = o.external_id and r.line <> o.line
      and (r.used_at, r.service_id, r.record_type_id, r.agreement_id, r.service_item_id, r.service_item2, r.service_item3, r.site, r.cost_centre,
        r.units, r.price) is distinct from
        (o.used_at, o.service_id, o.record_type_id, o.agreement_id, o.service_item_id, o.service_item2, o.service_item3, o.site, o.cost_centre,
        o.units, o.price)`.execute(db)
}

export interface StagedCounts {
  readonly rows: number
  readonly rejected: number
}

/** How many rows there are, and how many of them are bad. */
export const stagedCounts = async (db: Db, loadId: string): Promise<StagedCounts> => {
  const { rows: found } = await sql<StagedCounts>`select count(*) as rows, count(fault) as rejected from ${stagedRows(loadId)}`.execute(db)
  return found[0] ?? { rows: 0, rejected: 0 }
}

/** What stands in the way of a row. In the plural: more than one thing is called so. */
export type Fault =
  | 'line'
  | 'customer'
  | 'service'
  | 'services'
  | 'recordType'
  | 'recordTypes'
  | 'agreement'
  | 'agreements'
  | 'serviceItem'
  | 'serviceItems'
  | 'externalId'

export interface StagedFault {
  readonly line: number
  readonly fault: Fault
  /** What the row says there; for a line the reason itself, for an external id the line that bore it first. */
  readonly named: string
}

/** The next bad rows after a line, in the order of lines. */
export const stagedFaults = async (db: Db, loadId: string, after: number, limit: number): Promise<StagedFault[]> => {
  const { rows: found } = await sql<StagedFault>`
    select line, fault, named from ${stagedRows(loadId)} where fault is not null and line > ${after} order by line limit ${limit}`.execute(
    db,
  )
  return found
}
