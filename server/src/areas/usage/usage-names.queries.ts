import { type RawBuilder, sql } from 'kysely'
import type { CustomerScope } from '../../session/scope.ts'

/**
 * The SQL of a text that changes with every change of a name of the customer's service items and the reseller's record types
 * (migrations/0105).
 */
export const namesVersion = (scope: CustomerScope): RawBuilder<string> => sql<string>`concat_ws('.',
  (select v.version from service_item_version v where ${scope.owns('v')}),
  (select v.version from record_type_version v where v.reseller_id = ${scope.resellerId}))`

/** The statement that reads `namesVersion` alone. */
export const namesVersionAlone = (scope: CustomerScope): RawBuilder<unknown> => sql`select ${namesVersion(scope)}`

/** The statement that reads the customer's service items with these ids: id, name, description. */
export const itemNames = (scope: CustomerScope, ids: readonly string[]): RawBuilder<unknown> => sql`
  select i.id, i.service_item, i.description from service_item i where ${scope.owns('i')} and i.id = any(${arrayOf(ids)}::bigint[])`

/** The statement that reads the reseller's record types with these ids: id, description. */
export const typeNames = (scope: CustomerScope, ids: readonly string[]): RawBuilder<unknown> => sql`
  select t.id, t.description from record_type t where t.reseller_id = ${scope.resellerId} and t.id = any(${arrayOf(ids)}::bigint[])`

/** An array of ids as PostgreSQL writes it. */
const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`
