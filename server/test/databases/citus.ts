import pg from 'pg'
import { ROLES } from '../../src/db/roles.ts'
import { runAsAdministrator } from './administrator.ts'

const OWNER = 'counterfoil_test'

/** Citus hides the shards of a node from who does not ask for them. */
const SHOW_SHARDS = '-c citus.override_table_visibility=off'

/** A server of the installation. */
export interface CitusNode {
  readonly host: string
  readonly port: number
}

/** An empty database with Citus on every node, whose owner is no superuser. */
export interface CitusDatabase {
  /** Its URL on the coordinator, for its owner. */
  readonly url: string
  readonly coordinator: CitusNode
  readonly workers: readonly CitusNode[]
  /** Runs a statement in it on a node, as a superuser. */
  query<Row extends object>(node: CitusNode, statement: string): Promise<Row[]>
  /** The URLs of the workers, for a superuser, of the database that `adminUrl` names. */
  readonly workerUrls: readonly string[]
  drop(): Promise<void>
}

const urlOf = (adminUrl: string, { host, port }: CitusNode, database: string): string => {
  const url = new URL(adminUrl)
  url.hostname = host
  url.port = String(port)
  url.pathname = database
  return url.href
}

/** The coordinator and its workers, as a database on the coordinator knows them. */
export const listCitusNodes = async (adminUrl: string): Promise<CitusNode[]> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const { rows } = await client
    .query<CitusNode>('select nodename as host, nodeport as port from pg_dist_node order by groupid')
    .finally(() => client.end())
  return rows
}

/**
 * Makes a database on the coordinator and the workers of an installation of Citus.
 * @param adminUrl a database on the coordinator that knows its workers, for a superuser whom every node lets in
 */
export const openCitusDatabase = async (adminUrl: string, name: string): Promise<CitusDatabase> => {
  const nodes = await listCitusNodes(adminUrl)
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined || workers.length === 0) throw new Error('TEST_CITUS_URL names no coordinator with workers')
  const adminDatabase = new URL(adminUrl).pathname.slice(1)
  const drop = async (): Promise<void> => {
    for (const node of nodes) await runAsAdministrator(urlOf(adminUrl, node, adminDatabase), `drop database if exists ${name} with (force)`)
  }
  for (const node of nodes) {
    const admin = urlOf(adminUrl, node, adminDatabase)
    for (const role of [`${OWNER} login createrole`, ...ROLES])
      await runAsAdministrator(admin, `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`)
    await runAsAdministrator(admin, `grant ${ROLES.join(', ')} to ${OWNER} with admin true, inherit false`)
    await runAsAdministrator(admin, `create database ${name} owner ${OWNER}`)
  }
  for (const node of [...workers, coordinator]) await runAsAdministrator(urlOf(adminUrl, node, name), 'create extension citus')
  const onCoordinator = urlOf(adminUrl, coordinator, name)
  await runAsAdministrator(onCoordinator, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
  for (const { host, port } of workers) await runAsAdministrator(onCoordinator, `select citus_add_node('${host}', ${port})`)
  const url = new URL(onCoordinator)
  url.username = OWNER
  const query = async <Row extends object>(node: CitusNode, statement: string): Promise<Row[]> => {
    const session = new pg.Client({ connectionString: urlOf(adminUrl, node, name), options: SHOW_SHARDS })
    await session.connect()
    const { rows } = await session.query<Row>(statement).finally(() => session.end())
    return rows
  }
  return { url: url.href, coordinator, workers, workerUrls: workers.map((node) => urlOf(adminUrl, node, adminDatabase)), query, drop }
}
