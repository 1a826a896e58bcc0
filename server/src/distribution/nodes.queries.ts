import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A server of the installation: the coordinator, which DATABASE_URL names, or a worker, which holds usage. */
export interface Node {
  readonly host: string
  readonly port: number
  /** Both, as in `10.0.0.7:5432`. */
  readonly name: string
  readonly isCoordinator: boolean
  /** Whether it is to hold usage. */
  readonly holdsUsage: boolean
}

/** Whether this database has Citus. */
export const hasCitus = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pg_catalog.pg_dist_node') is not null as found`.execute(db)
  return rows[0]?.found === true
}

/** The servers that Citus knows, the coordinator first; standbys of theirs apart. */
export const listNodes = async (db: Db): Promise<Node[]> => {
  const { rows } = await sql<Node>`
    select nodename as host, nodeport as port, nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator",
      shouldhaveshards as "holdsUsage"
    from pg_dist_node where noderole = 'primary' order by groupid`.execute(db)
  return rows
}

/** What a node answered. */
export interface NodeAnswer {
  readonly node: string
  readonly isDone: boolean
  /** What it returned, or why it did not. */
  readonly text: string
}

/** How long the coordinator tries to reach a node. */
const CONNECT_LIMIT_MS = 3_000

/** Runs a statement on one node, as the role of the transaction. Reaching it takes three seconds at most, its answer any time. */
export const askNode = async (db: Db, { host, port, name }: Node, statement: string): Promise<NodeAnswer> => {
  await sql`set local citus.node_connection_timeout = ${sql.lit(CONNECT_LIMIT_MS)}`.execute(db)
  const { rows } = await sql<NodeAnswer>`
    select ${name}::text as node, success as "isDone", coalesce(result, '') as text
    from master_run_on_worker(array[${host}::text], array[${port}::int], array[${statement}::text], false)`.execute(db)
  return rows[0] ?? { node: name, isDone: false, text: 'no answer' }
}

/** Runs a statement on every node, one after the other, as the connected user. */
export const askNodes = async (db: Db, statement: string): Promise<NodeAnswer[]> => {
  const answers: NodeAnswer[] = []
  for (const node of await listNodes(db)) answers.push(await askNode(db, node, statement))
  return answers
}

/** Limits how long the connected user waits for a new connection to a node, in sessions that begin later; or takes that back. */
export const limitConnecting = async (db: Db, isLimited: boolean): Promise<void> => {
  const change = isLimited ? `set citus.node_connection_timeout = ${CONNECT_LIMIT_MS}` : 'reset citus.node_connection_timeout'
  await sql
    .raw(`do $do$ begin execute format($$alter role current_user in database %I ${change}$$, current_database()); end $do$`)
    .execute(db)
}

/** Takes this role for the rest of the transaction. Other machines are then reached as it. */
export const takeRole = async (db: Db, role: string): Promise<void> => {
  await sql.raw(`set local role ${role}`).execute(db)
}
