import type { Db } from '../../db/database.ts'
import { ROLES } from '../../db/roles.ts'
import { LOGIN_SETTINGS } from '../../db/server/login-settings.ts'
import { DISTRIBUTED_TABLES } from '../../usage-store/distributed-tables.data.ts'
import { askNode, type Node, takeRole } from '../nodes.queries.ts'

/** A part of a table of usage, or of one of its months. */
interface Shard {
  /** As in `usage_record_2026_11_102040`. */
  readonly name: string
  readonly bytes: number
  /** Whether row-level security holds, also for the owner. */
  readonly isForced: boolean
  readonly triggers: readonly string[]
}

/** A role of Counterfoil on a node. */
interface NodeRole {
  readonly name: string
  readonly canLogin: boolean
  /** Whether the connected user may take it. */
  readonly isMember: boolean
  /** Whether the connected user has its rights without taking it. */
  readonly isInherited: boolean
}

/** What a node says of itself to the connected user. */
export interface NodeFacts {
  readonly user: string
  readonly database: string
  readonly ownsDatabase: boolean
  /** As in 170011. */
  readonly postgres: number
  /** As in `14.0-1`; null without Citus. */
  readonly citus: string | null
  readonly roles: readonly NodeRole[]
  /** The settings of the connected user, by their names. */
  readonly settings: Readonly<Record<string, string | null>>
  /** Prepared transactions that nobody has ended for long. */
  readonly oldTransactions: readonly string[]
  readonly shards: readonly Shard[]
}

const list = (values: readonly string[]): string => `array['${values.join("', '")}']`

/** The names of shards: a table, of usage_record also a month, and the number that Citus gave. */
const SHARD_PATTERN = `^(${DISTRIBUTED_TABLES.join('|')})(_[0-9]{4}_[0-9]{2})?_[0-9]{6,}$`

const factsStatement = (oldTransactionMs: number): string => `
  select json_build_object(
    'user', current_user,
    'database', current_database(),
    'ownsDatabase', pg_has_role('pg_database_owner', 'usage'),
    'postgres', current_setting('server_version_num')::int,
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'roles', (select coalesce(json_agg(json_build_object('name', rolname, 'canLogin', rolcanlogin, 'isMember', pg_has_role(oid, 'member'),
      'isInherited', pg_has_role(oid, 'usage')) order by rolname), '[]') from pg_roles where rolname = any(${list(ROLES)})),
    'settings', (select json_object_agg(name, current_setting(name, true)) from unnest(${list(Object.keys(LOGIN_SETTINGS))}) name),
    'oldTransactions', (select coalesce(json_agg(gid order by gid), '[]') from pg_prepared_xacts
      where database = current_database() and prepared < clock_timestamp() - interval '${oldTransactionMs} milliseconds'),
    'shards', (select coalesce(json_agg(json_build_object('name', c.relname, 'bytes', pg_total_relation_size(c.oid),
      'isForced', c.relrowsecurity and c.relforcerowsecurity,
      'triggers', (select coalesce(json_agg(t.tgname), '[]') from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
      ) order by c.relname), '[]')
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname ~ '${SHARD_PATTERN}')
  )::text`

/** What a node says of itself, or why it does not. As the owner. */
export const readFacts = async (db: Db, node: Node, oldTransactionMs: number): Promise<NodeFacts | string> => {
  const { isDone, text } = await askNode(db, node, factsStatement(oldTransactionMs))
  return isDone ? (JSON.parse(text) as NodeFacts) : text
}

/** The free bytes of the disk of a node with Citus; null where it cannot be told. As the owner. */
export const readFreeBytes = async (db: Db, node: Node): Promise<number | null> => {
  const { isDone, text } = await askNode(db, node, 'select available_disk_size::text from citus_local_disk_space_stats()')
  return isDone && /^[1-9]\d*$/.test(text) ? Number(text) : null
}

/** Those of the roles that a node does not let in from the coordinator, with what it said. As the owner. */
export const listShutOut = async (db: Db, node: Node, roles: readonly string[]): Promise<{ role: string; reason: string }[]> => {
  const shutOut: { role: string; reason: string }[] = []
  for (const role of roles) {
    await takeRole(db, role)
    const { isDone, text } = await askNode(db, node, 'select current_user')
    if (!isDone) shutOut.push({ role, reason: text })
  }
  return shutOut
}
