import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { LoadTarget } from '../../db/copy-in.ts'

const tableName = (loadId: string, part: 'line' | 'reference' | 'fault'): string => `usage_load_${loadId.replaceAll('-', '')}_${part}`
/** The table of the lines of a load's file, by its name. */
export const lineTable = (loadId: string): string => tableName(loadId, 'line')
/** The lines of a load's file. */
const stagedLines = (loadId: string): RawBuilder<unknown> => sql.table(lineTable(loadId))
/** What they refer to. */
const references = (loadId: string): RawBuilder<unknown> => sql.table(tableName(loadId, 'reference'))
/** What stands in the way of some of them. */
export const faults = (loadId: string): RawBuilder<unknown> => sql.table(tableName(loadId, 'fault'))

const column = (type: string) => (name: string) => ({ name, type })

/** Where the lines of a load go, in the order of staged-lines.ts. */
export const stagingTarget = (loadId: string): LoadTarget => ({
  table: lineTable(loadId),
  columns: [
    { name: 'line', type: 'bigint' },
    { name: 'reason', type: 'text' },
    ...['item', 'type', 'agreement'].map(column('integer')),
    ...['customer_word', 'service_word', 'type_word', 'agreement_word', 'item_word'].map(column('text')),
    { name: 'is_again', type: 'boolean' },
    { name: 'external_id', type: 'text' },
    { name: 'used_at', type: 'timestamptz' },
    ...['service_item2', 'service_item3', 'site', 'cost_centre'].map(column('text')),
    ...['units', 'price'].map(column('numeric')),
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
export const renewLoad = async (db: Db, loadId: string): Promise<boolean> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local work_mem = '64MB'`.execute(db)
  const { numAffectedRows } = await sql`update usage_load set alive_at = now() where id = ${loadId}::uuid`.execute(db)
  return numAffectedRows === 1n
}

/** So many references may be looked up one by one. */
const MAX_NESTED_LOOP_ROWS = 5_000

/** Of many rows, the planner cannot tell how few different things they name, and would compare each with each. */
export const avoidNestedLoops = async (db: Db, count: number): Promise<void> => {
  if (count > MAX_NESTED_LOOP_ROWS) await sql`set local enable_nestloop = off`.execute(db)
}

/** An external id goes before a name, and of several things that both fit none is meant. */
const uniqueMatches = (key: RawBuilder<unknown>, candidates: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${key}, min(id) as id, count(*) as n
  from (select *, rank() over (partition by ${key} order by rank) as place from (${candidates}) found) ranked where place = 1 group by ${key}`

/** Customers and services by what they are called, and the lines that call something by a name that no line before them did. */
const namedReferences = (loadId: string): RawBuilder<unknown> => sql`
  said as materialized (
    select item, type, agreement, customer_word as customer, service_word as service, type_word, agreement_word, item_word
    from ${stagedLines(loadId)} where customer_word is not null
  ), customer_key as materialized (${uniqueMatches(
    sql`customer`,
    sql`select external_id as customer, id, 1 as rank from customer where external_id is not null union all select id::text, id, 2 from customer`,
  )}), service_key as materialized (${uniqueMatches(
    sql`service`,
    sql`select external_id as service, id, 1 as rank from service where external_id is not null union all select name, id, 2 from service`,
  )})`

/**
 * Finds out what the staged lines refer to, once for each thing. What stands in the way of one is noted beside it.
 * @param count how many there are
 */
export const resolveReferences = async (db: Db, loadId: string, count: number): Promise<void> => {
  await avoidNestedLoops(db, count)
  await sql`
    insert into ${references(loadId)} (reference, fault, named, customer_id, service_id, service_item_id)
    with ${namedReferences(loadId)}, wanted as materialized (
      select l.*, c.id as customer_id, s.id as service_id, s.n as services
      from (select distinct item, customer, service, item_word from said) l
      left join customer_key c on c.customer = l.customer left join service_key s on s.service = l.service
    ), item_key as materialized (${uniqueMatches(
      sql`item`,
      sql`
        select w.item, i.id, 1 as rank
        from wanted w join service_item i on i.customer_id = w.customer_id and i.external_id = w.item_word and i.service_id = w.service_id
        union all
        select w.item, i.id, 2
        from wanted w join service_item i on i.customer_id = w.customer_id and i.service_id = w.service_id and i.service_item = w.item_word`,
    )}), judged as (
      select w.*, i.id as service_item_id,
        case when w.customer_id is null then 'customer' when w.service_id is null then 'service' when w.services > 1 then 'services'
          when w.item_word is not null and i.id is null then 'serviceItem' when i.n > 1 then 'serviceItems' end as fault
      from wanted w left join item_key i on i.item = w.item
    )
    select item, fault, case when fault = 'customer' then customer when fault in ('service', 'services') then service when fault is not null then item_word end,
      customer_id, service_id, service_item_id
    from judged`.execute(db)
  await sql`
    insert into ${references(loadId)} (reference, fault, named, record_type_id)
    with ${namedReferences(loadId)}, type_key as materialized (${uniqueMatches(
      sql`service_id, type_word`,
      sql`select service_id, external_id as type_word, id, 1 as rank from record_type where external_id is not null
        union all select service_id, description, id, 2 from record_type`,
    )})
    select l.type, case when t.id is null then 'recordType' when t.n > 1 then 'recordTypes' end, l.type_word, t.id
    from (select distinct type, service, type_word from said) l
    left join service_key s on s.service = l.service left join type_key t on t.service_id = s.id and t.type_word = l.type_word`.execute(db)
  await sql`
    insert into ${references(loadId)} (reference, fault, named, agreement_id)
    with ${namedReferences(loadId)}, wanted as materialized (
      select l.*, c.id as customer_id
      from (select distinct agreement, customer, agreement_word from said where agreement is not null) l left join customer_key c on c.customer = l.customer
    ), agreement_key as materialized (${uniqueMatches(
      sql`agreement`,
      sql`
        select w.agreement, a.id, 1 as rank from wanted w join agreement a on a.customer_id = w.customer_id and a.external_id = w.agreement_word
        union all select w.agreement, a.id, 2 from wanted w join agreement a on a.customer_id = w.customer_id and a.name = w.agreement_word`,
    )})
    select w.agreement, case when a.id is null then 'agreement' when a.n > 1 then 'agreements' end, w.agreement_word, a.id
    from wanted w left join agreement_key a on a.agreement = w.agreement`.execute(db)
}

/** The staged lines `l` with what they refer to: the item `i`, its record type `t` and its agreement `a`. */
export const linesWithReferences = (loadId: string): RawBuilder<unknown> => sql`
  ${stagedLines(loadId)} l join ${references(loadId)} i on i.reference = l.item join ${references(loadId)} t on t.reference = l.type
  left join ${references(loadId)} a on a.reference = l.agreement`

/** Notes the lines that are no records. */
export const rejectLines = async (db: Db, loadId: string): Promise<void> => {
  await sql`
    insert into ${faults(loadId)} (line, fault, named)
    select line, 'line', reason from ${stagedLines(loadId)} where reason is not null`.execute(db)
}

/** Notes the lines that refer to what is not there: the first such thing of customer, service, record type, agreement and service item. */
export const rejectUnknownReferences = async (db: Db, loadId: string): Promise<void> => {
  await sql`
    insert into ${faults(loadId)} (line, fault, named)
    select l.line, stray.fault, stray.named
    from ${linesWithReferences(loadId)} cross join lateral (
      select fault, named from (values (1, i.fault, i.named), (2, t.fault, t.named), (3, a.fault, a.named)) reference (place, fault, named)
      where fault is not null order by case when fault in ('serviceItem', 'serviceItems') then 4 else place end limit 1) stray`.execute(db)
}

/** Does any reference name what is not there? */
export const hasFaultyReference = async (db: Db, loadId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${references(loadId)} where fault is not null limit 1`.execute(db)
  return rows.length > 0
}

/** Of the good lines that bear the external id of an earlier one of the same customer, those that say something else become bad. */
export const rejectContradictions = async (db: Db, loadId: string, count: number): Promise<void> => {
  await avoidNestedLoops(db, count)
  await sql`
    insert into ${faults(loadId)} (line, fault, named)
    with suspect as materialized (
      select distinct external_id from ${stagedLines(loadId)} where is_again
    ), candidate as materialized (
      select i.customer_id, l.external_id, l.line,
        (l.used_at, i.service_id, t.record_type_id, a.agreement_id, i.service_item_id, l.service_item2, l.service_item3, l.site, l.cost_centre,
          l.units, l.price) as said
      from ${linesWithReferences(loadId)} join suspect using (external_id)
      where i.fault is null and t.fault is null and a.fault is null
    ), twin as materialized (
      select customer_id, external_id, min(line) as first from candidate group by 1, 2 having count(*) > 1
    )
    select c.line, 'externalId', t.first::text
    from twin t join candidate o on o.line = t.first
      join candidate c on c.customer_id = t.customer_id and c.external_id = t.external_id and c.line <> t.first
    where c.said is distinct from o.said`.execute(db)
}

/** How many lines are bad. */
export const countFaults = async (db: Db, loadId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${faults(loadId)}`.execute(db)
  return rows[0]?.n ?? 0
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
    select line, fault, named from ${faults(loadId)} where line > ${after} order by line limit ${limit}`.execute(db)
  return found
}
