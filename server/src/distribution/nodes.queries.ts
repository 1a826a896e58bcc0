import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A server of the installation: the coordinator, which DATABASE_URL names, or a worker, which holds usage. */
export interface Node {
  /** As in `10.0.0.7:5432`. */
  readonly name: string
  readonly isCoordinator: boolean
}

/** Whether this database has Citus. */
export const hasCitus = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pg_catalog.pg_dist_node') is not null as found`.execute(db)
  return rows[0]?.found === true
}

/** The servers that Citus knows, the coordinator first. */
export const listNodes = async (db: Db): Promise<Node[]> => {
  const { rows } = await sql<Node>`
    select nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid`.execute(db)
  return rows
}

/** What a node answered. */
interface NodeAnswer {
  readonly node: string
  readonly isDone: boolean
  /** What it returned, or why it did not. */
  readonly text: string
}

/** Runs a statement on every node, one after the other, as the connected user. */
export const askNodes = async (db: Db, statement: string): Promise<NodeAnswer[]> => {
  const { rows } = await sql<NodeAnswer>`
    select n.nodename || ':' || n.nodeport as node, a.success as "isDone", a.result as text
    from run_command_on_all_nodes(${statement}, parallel => false) a join pg_dist_node n on n.nodeid = a.nodeid order by n.groupid`.execute(
    db,
  )
  return rows
}

/** How long the coordinator waits for a new connection to a worker; Citus waits half a minute for one that hangs. */
const CONNECT_TIMEOUT = '3s'

/** Limits for how long the connected user waits for a new connection to a worker, in sessions that begin later; or takes that back. */
export const limitConnecting = async (db: Db, isLimited: boolean): Promise<void> => {
  const change = isLimited ? `set citus.node_connection_timeout = '${CONNECT_TIMEOUT}'` : 'reset citus.node_connection_timeout'
  await sql
    .raw(`do $do$ begin execute format($$alter role current_user in database %I ${change}$$, current_database()); end $do$`)
    .execute(db)
}

/** A table with a part on every node, by which is seen whether every node lets a role in. */
const PROBE = 'distribution_probe'

/** Makes the table that `readProbe` reads. */
export const createProbe = async (db: Db, roles: readonly string[]): Promise<void> => {
  await sql.raw(`drop table if exists ${PROBE}`).execute(db)
  await sql.raw(`create table ${PROBE} (customer_id bigint)`).execute(db)
  await sql`select create_distributed_table(${PROBE}, 'customer_id', colocate_with => 'none')`.execute(db)
  await sql.raw(`grant select on ${PROBE} to ${roles.join(', ')}`).execute(db)
}

/** Reads from every node as this role. @throws where one does not let it in */
export const readProbe = async (db: Db, role: string): Promise<void> => {
  await sql.raw(`set local role ${role}`).execute(db)
  await sql.raw(`select count(*) from ${PROBE}`).execute(db)
}

export const dropProbe = async (db: Db): Promise<void> => {
  await sql.raw(`drop table ${PROBE}`).execute(db)
}
