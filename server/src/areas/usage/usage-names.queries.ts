import { sql } from 'kysely'
import type { CustomerScope } from '../../session/scope.ts'
import type { SqlFragment } from './usage-filter.queries.ts'

/**
 * The statement that reads a text which changes with every change of a name of the customer's service items and the reseller's record types
 * (migrations/0105).
 */
export const namesVersion = (scope: CustomerScope): SqlFragment => sql`
  select concat_ws('.', (select v.version from service_item_version v where ${scope.owns('v')}),
    (select v.version from record_type_version v where v.reseller_id = ${scope.resellerId})) as version`

/** The statement that reads the customer's service items with these ids: id, name, description. */
export const itemNames = (scope: CustomerScope, ids: readonly string[]): SqlFragment => sql`
  select i.id, i.service_item, i.description from service_item i where ${scope.owns('i')} and i.id = any(${arrayOf(ids)}::bigint[])`

/** The statement that reads the reseller's record types with these ids: id, description. */
export const typeNames = (scope: CustomerScope, ids: readonly string[]): SqlFragment => sql`
  select t.id, t.description from record_type t where t.reseller_id = ${scope.resellerId} and t.id = any(${arrayOf(ids)}::bigint[])`

/** An array of ids as PostgreSQL writes it. */
const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`

/**
 * SQL of a `with`: texts of the customer's service items as `item`, with their ids. Records are joined with it in place of the table, because
 * a distributed database refuses a distributed and a local table in one FROM.
 * @param texts the columns, of rows `i`
 */
export const itemsWith = (scope: CustomerScope, texts: string, where: SqlFragment = sql`true`): SqlFragment =>
  sql`item as materialized (select i.id, ${sql.raw(texts)} from service_item i where ${scope.owns('i')} and ${where})`

/** SQL of a `with`: a text of the reseller's record types `t` as `kind`, with their ids, for the same reason. */
export const recordTypesWith = (scope: CustomerScope, text: string): SqlFragment =>
  sql`kind as materialized (select t.id, ${sql.raw(text)} from record_type t where t.reseller_id = ${scope.resellerId})`

/**
 * The statement that forbids nested loops for the rest of the transaction where records are joined with `item` or `kind`. The planner takes
 * these for small, and would read all of them for each record.
 */
export const withoutNestedLoops = sql`set local enable_nestloop = off`
