import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { LoadTarget } from '../../db/copy-in.ts'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import { NAMES_SEPARATOR } from '../staging/row-report.ts'

/** The name of one of a load's own staging tables. */
const tableName = (loadId: string, part: 'line' | 'reference' | 'fault'): string => `usage_load_${loadId.replaceAll('-', '')}_${part}`
/** The name of the staging table of a load's lines. */
export const lineTableName = (loadId: string): string => tableName(loadId, 'line')
/** The staging table of a load's lines, for SQL. */
const lineTable = (loadId: string): RawBuilder<unknown> => sql.table(lineTableName(loadId))
/** The staging table of the customers, services, record types and agreements that a load's lines name, for SQL. */
const referenceTable = (loadId: string): RawBuilder<unknown> => sql.table(tableName(loadId, 'reference'))
/** The staging table of a load's faulty lines, for SQL. */
export const faultTable = (loadId: string): RawBuilder<unknown> => sql.table(tableName(loadId, 'fault'))

const TEXT_COLUMNS = USAGE_TEXTS.map(({ column }) => column)

/** The columns of the plain texts of lines `l`, for SQL. */
export const lineTexts = sql.raw(TEXT_COLUMNS.map((column) => `l.${column}`).join(', '))

/** The columns of the table of lines, in the order of staging-rows.ts. */
const LINE_COLUMNS = `line reason item type agreement customer_word service_word type_word agreement_word item_word is_again
  external_id used_at ${TEXT_COLUMNS.join(' ')} cost_centre units price`.split(/\s+/)

/** The staging table of a load's lines with its columns, for COPY. */
export const stagingTarget = (loadId: string): LoadTarget => ({ table: lineTableName(loadId), columns: LINE_COLUMNS })

/** Makes the staging tables of a load, which go when its staging is closed. */
export const createStagingTables = async (db: Db, loadId: string): Promise<void> => {
  await sql`select create_usage_staging(${loadId}::uuid)`.execute(db)
}

/** Up to this number nested-loop lookups are cheap. */
export const MAX_NESTED_LOOP_ROWS = 5_000

/**
 * Forbids nested-loop and merge joins for the rest of the transaction where there are many rows, so that hash joins are left. The planner
 * takes the staging for small, and would look each reference up by itself, or compare it with all items of its customer and service.
 */
export const preferHashJoins = async (db: Db, count: number): Promise<void> => {
  if (count <= MAX_NESTED_LOOP_ROWS) return
  await sql`set local enable_nestloop = off`.execute(db)
  await sql`set local enable_mergejoin = off`.execute(db)
}

/** Allows nested-loop joins again for the rest of the transaction, where there are few rows: each is looked up by its key. */
export const allowFewLookups = async (db: Db, count: number): Promise<void> => {
  if (count <= MAX_NESTED_LOOP_ROWS) await sql`set local enable_nestloop = on`.execute(db)
}

/**
 * SQL: the best match of each key, by external id (rank 1) before name (rank 2). `n` counts equally good matches, so that ambiguity is
 * detected.
 */
const uniqueMatches = (key: RawBuilder<unknown>, candidates: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${key}, coalesce(min(id) filter (where rank = 1), min(id)) as id,
    coalesce(nullif(count(*) filter (where rank = 1), 0), count(*)) as n
  from (${candidates}) found group by ${key}`

/**
 * SQL (the beginning of a `with`): the ids of customers and services by external id or name, and the lines that introduce a new reference.
 */
const namedReferences = (loadId: string): RawBuilder<unknown> => sql`
  said as materialized (
    select item, type, agreement, customer_word as customer, service_word as service, type_word, agreement_word, item_word
    from ${lineTable(loadId)} where customer_word is not null
  ), customer_key as materialized (${uniqueMatches(
    sql`customer`,
    sql`select external_id as customer, id, 1 as rank from customer where external_id is not null union all select id::text, id, 2 from customer`,
  )}), service_key as materialized (${uniqueMatches(
    sql`service`,
    sql`select external_id as service, id, 1 as rank from service where external_id is not null union all select name, id, 2 from service`,
  )})`

/**
 * Looks up each distinct reference of the staged lines once, and stores the id found in the reference table, or the reference's fault. No
 * line is marked yet.
 * @param count the number of references
 */
export const resolveReferences = async (db: Db, loadId: string, count: number): Promise<void> => {
  await preferHashJoins(db, count)
  await sql`
    insert into ${referenceTable(loadId)} (reference, fault, named, customer_id, service_id, service_item_id)
    with ${namedReferences(loadId)}, wanted as materialized (
      select l.*, c.id as customer_id, s.id as service_id, s.n as services
      from (select distinct item, customer, service, item_word from said) l
      left join customer_key c on c.customer = l.customer left join service_key s on s.service = l.service
    ), item_key as materialized (${uniqueMatches(
      sql`item`,
      sql`
        select w.item, i.id, 1 as rank
        from wanted w join service_item i on i.customer_id = w.customer_id and i.external_id = w.item_word and i.service_id = w.service_id
        where i.external_id is not null
        union all
        select w.item, i.id, 2
        from wanted w join service_item i on i.customer_id = w.customer_id and i.service_id = w.service_id and i.service_item = w.item_word`,
    )}), judged as (
      select w.*, i.id as service_item_id,
        case when w.customer_id is null then 'customer' end as customer_fault,
        case when w.service_id is null then 'service' when w.services > 1 then 'services' end as service_fault,
        case when w.customer_id is null or w.service_id is null or w.services > 1 then null
          when w.item_word is not null and i.id is null then 'serviceItem' when i.n > 1 then 'serviceItems' end as item_fault
      from wanted w left join item_key i on i.item = w.item
    )
    select item, nullif(concat_ws(',', customer_fault, service_fault, item_fault), ''),
      concat_ws(${NAMES_SEPARATOR}, case when customer_fault is not null then customer end, case when service_fault is not null then service end,
        case when item_fault is not null then item_word end),
      customer_id, service_id, service_item_id
    from judged`.execute(db)
  await sql`
    insert into ${referenceTable(loadId)} (reference, fault, named, record_type_id)
    with ${namedReferences(loadId)}, type_key as materialized (${uniqueMatches(
      sql`service_id, type_word`,
      sql`select service_id, external_id as type_word, id, 1 as rank from record_type where external_id is not null
        union all select service_id, description, id, 2 from record_type`,
    )})
    select l.type, case when t.id is null then 'recordType' when t.n > 1 then 'recordTypes' end, l.type_word, t.id
    from (select distinct type, service, type_word from said) l
    left join service_key s on s.service = l.service left join type_key t on t.service_id = s.id and t.type_word = l.type_word`.execute(db)
  await sql`
    insert into ${referenceTable(loadId)} (reference, fault, named, agreement_id)
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

/** SQL: the staged lines `l` with what they refer to: the item `i`, its record type `t` and its agreement `a`. */
const linesWithReferences = (loadId: string): RawBuilder<unknown> => sql`
  ${lineTable(loadId)} l join ${referenceTable(loadId)} i on i.reference = l.item join ${referenceTable(loadId)} t on t.reference = l.type
  left join ${referenceTable(loadId)} a on a.reference = l.agreement`

/** SQL: the staged lines without any fault, with what they refer to. */
export const goodLines = (loadId: string): RawBuilder<unknown> => sql`
  ${linesWithReferences(loadId)}
  where i.fault is null and t.fault is null and a.fault is null and not exists (select from ${faultTable(loadId)} f where f.line = l.line)`

/** Marks the lines that could not be parsed as faulty. */
export const rejectLines = async (db: Db, loadId: string): Promise<void> => {
  await sql`
    insert into ${faultTable(loadId)} (line, fault, named)
    select line, 'line', reason from ${lineTable(loadId)} where reason is not null`.execute(db)
}

/**
 * Marks the lines with unknown or ambiguous references as faulty, but for those that are unknown because the customer or the service is.
 */
export const rejectUnknownReferences = async (db: Db, loadId: string): Promise<void> => {
  const isServiceFault = sql`coalesce(i.fault ~ '(^|,)services?(,|$)', false)`
  const isCustomerFault = sql`coalesce(i.fault ~ '(^|,)customer(,|$)', false)`
  await sql`
    insert into ${faultTable(loadId)} (line, fault, named)
    select line, concat_ws(',', fault, type_fault, agreement_fault),
      concat_ws(${NAMES_SEPARATOR}, named, case when type_fault is not null then type_named end, case when agreement_fault is not null then agreement_named end)
    from (
      select l.line, i.fault, case when i.fault is not null then i.named end as named, t.named as type_named, a.named as agreement_named,
        case when not ${isServiceFault} then t.fault end as type_fault, case when not ${isCustomerFault} then a.fault end as agreement_fault
      from ${linesWithReferences(loadId)}
    ) found
    where coalesce(fault, type_fault, agreement_fault) is not null`.execute(db)
}

/** Whether a reference of the load is unknown or ambiguous. */
export const hasFaultyReference = async (db: Db, loadId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${referenceTable(loadId)} where fault is not null limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Marks good lines as faulty that repeat the external id of an earlier line of the same customer, in the same file, with different content.
 */
export const rejectContradictions = async (db: Db, loadId: string, count: number): Promise<void> => {
  await preferHashJoins(db, count)
  await sql`
    insert into ${faultTable(loadId)} (line, fault, named)
    with suspect as materialized (
      select distinct external_id from ${lineTable(loadId)} where is_again
    ), candidate as materialized (
      select i.customer_id, l.external_id, l.line,
        (l.used_at, i.service_id, t.record_type_id, a.agreement_id, i.service_item_id, ${lineTexts}, l.cost_centre,
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

export interface FaultCounts {
  /** The number of faulty lines, and of those among them that repeat a stored record with other values. */
  readonly rejected: number
  readonly repeatedWithOtherValues: number
}

/** Counts the faulty lines of a load, and those among them that repeat a stored record with other values. */
export const countFaults = async (db: Db, loadId: string): Promise<FaultCounts> => {
  const { rows } = await sql<FaultCounts>`
    select count(*) as rejected, count(*) filter (where fault = 'otherValues') as "repeatedWithOtherValues" from ${faultTable(loadId)}`.execute(
    db,
  )
  return rows[0] ?? { rejected: 0, repeatedWithOtherValues: 0 }
}

/** The fault of a row. The plural means that several records match. */
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
  | 'otherValues'

export interface StagedFault {
  readonly line: number
  /** One fault or several, separated by commas. */
  readonly fault: string
  /**
   * The faulty value, of several with NAMES_SEPARATOR between them; for a line the reason itself, for an external id the line that had it
   * first, for other values which those are.
   */
  readonly named: string
}

/** The next bad rows after a line, in the order of lines. */
export const stagedFaults = async (db: Db, loadId: string, after: number, limit: number): Promise<StagedFault[]> => {
  const { rows: found } = await sql<StagedFault>`
    select line, fault, named from ${faultTable(loadId)} where line > ${after} order by line limit ${limit}`.execute(db)
  return found
}
