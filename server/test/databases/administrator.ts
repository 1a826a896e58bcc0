import pg from 'pg'

const MAX_WAIT_MS = 5_000
const CANCELED = '57014'

/** Runs a statement as the server's superuser. */
export const runAsAdministrator = async (adminUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** The PostgreSQL servers of a run: one, or the coordinator of an installation of Citus with its workers. */
export interface TestServers {
  /** Signs in as superuser: only to create databases. */
  readonly adminUrl: string
  /** The same on the workers. */
  readonly workerUrls: readonly string[]
}

/** Copies a migrated database, which nobody is connected to, on each server. A distributed one has its rows on the workers. */
export const copyDatabase = async (
  { adminUrl, workerUrls, template }: TestServers & { readonly template: string },
  name: string,
): Promise<void> => {
  await Promise.all(
    [adminUrl, ...workerUrls].map((url) => runAsAdministrator(url, `create database ${name} owner counterfoil_test template ${template}`)),
  )
}

/** Drops what `copyDatabase` made. The nodes of Citus connect to each other all the while, so each closes its door before one is dropped. */
export const dropCopy = async ({ adminUrl, workerUrls }: TestServers, name: string): Promise<void> => {
  const urls = [adminUrl, ...workerUrls]
  if (workerUrls.length > 0) for (const url of urls) await runAsAdministrator(url, closingDoor(name))
  for (const url of urls) await dropDatabase(url, name)
}

/** Lets nobody connect to a database any more, where there is one. */
const closingDoor = (name: string): string =>
  `do $$ begin alter database ${name} allow_connections false; exception when invalid_catalog_name then null; end $$`

/** Sessions that hold up every DROP DATABASE of a server: they wait in the middle of a statement for their client to send or to read. */
const BLOCKED = `select datname as database, pid, wait_event, query from pg_stat_activity where state = 'active' and wait_event in ('ClientRead', 'ClientWrite')`

/**
 * Drops a database of a test, and ends its sessions. PostgreSQL waits until every session of the server has noticed, also one of another
 * test that never reads its answer; such a one is reported, and the database is left to the end of the server.
 */
export const dropDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`set statement_timeout = ${MAX_WAIT_MS}`)
    await client.query(`drop database if exists ${name} with (force)`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CANCELED) throw error
    const { rows } = await client.query(BLOCKED)
    console.warn(`${name} was not dropped within ${MAX_WAIT_MS} ms. Sessions that wait for their clients: ${JSON.stringify(rows)}`)
  } finally {
    await client.end()
  }
}
