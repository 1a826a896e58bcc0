import type { Db, Store } from '../db/database.ts'
import { migrationState } from '../db/migrate.ts'
import { askNodes, hasCitus, listNodes } from './nodes.queries.ts'

/** Outer joins of what is on one machine with what is on several need it (docs/scaling.md). */
const MIN_POSTGRES_MAJOR = 17

/** What stands in the way of distributing usage, each as a sentence with its remedy. Changes nothing. */
export const distributionTroubles = async (store: Store): Promise<string[]> => {
  if ((await migrationState(store)).pending.length > 0) return ['The schema is not up to date: run counterfoil migrate first.']
  return store.transact({ role: 'owner' }, async (db) =>
    (await hasCitus(db))
      ? [...(await nodeTroubles(db)), ...(await ownerTroubles(db)), ...(await versionTroubles(db))]
      : ['This database has no Citus: have an administrator run "create extension citus" in it, on every node.'],
  )
}

/** Whether Citus knows the coordinator by an address, and workers. */
const nodeTroubles = async (db: Db): Promise<string[]> => {
  const nodes = await listNodes(db)
  return [
    ...(nodes.some(({ isCoordinator }) => isCoordinator)
      ? []
      : ['Citus does not know where the coordinator is: have an administrator run "select citus_set_coordinator_host(\'…\', 5432)".']),
    ...(nodes.some(({ isCoordinator }) => !isCoordinator)
      ? []
      : ['There is no worker yet: have an administrator run "select citus_add_node(\'…\', 5432)" for each.']),
  ]
}

/** Whether the connected user owns the database on every node: it removes the counters of archived months, which others do not see. */
const ownerTroubles = async (db: Db): Promise<string[]> => {
  const answers = await askNodes(db, "select current_user || ' ' || pg_has_role('pg_database_owner', 'usage')")
  return answers.flatMap(({ node, isDone, text }) => {
    if (!isDone) return [`${node} cannot be reached: ${text}.`]
    const [user, owns] = text.split(' ')
    return owns === 'true'
      ? []
      : [`${user} does not own the database on ${node}: have an administrator run "alter database … owner to ${user}".`]
  })
}

/** Whether every node has the same versions, of PostgreSQL and Citus, and new enough ones. */
const versionTroubles = async (db: Db): Promise<string[]> => {
  const answers = await askNodes(
    db,
    `select current_setting('server_version_num') || ' ' || (select extversion from pg_extension where extname = 'citus')`,
  )
  const versions = new Set(answers.map(({ text }) => text))
  const oldNodes = answers.filter(({ text }) => Number.parseInt(text, 10) < MIN_POSTGRES_MAJOR * 10_000)
  return [
    ...(oldNodes.length === 0
      ? []
      : [`PostgreSQL ${MIN_POSTGRES_MAJOR} or newer is needed on every node; ${oldNodes.map(({ node }) => node).join(', ')} is older.`]),
    ...(versions.size === 1
      ? []
      : [`The nodes differ in their versions: ${answers.map(({ node, text }) => `${node} has ${text}`).join(', ')}.`]),
  ]
}
