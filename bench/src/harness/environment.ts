import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../../server/test/databases/postgres-server.ts'
import { type HttpCall, openClient } from './http-load.ts'
import { runCounterfoil, type RunningServer, startServer } from './running-server.ts'

const SERVER_PORT = Number(process.env['BENCH_PORT'] ?? '3190')
const DEMO_PASSWORD = 'Counterfoil-2026!'

export interface BenchEnvironment {
  readonly postgres: PostgresServer
  /** Settings that point a server at this environment's database. */
  readonly settings: Record<string, string>
  readonly server: RunningServer
  stop(): Promise<void>
}

/** Starts a PostgreSQL server with the demo data, and a server connected to it. */
export const startEnvironment = async (dataDir: string): Promise<BenchEnvironment> => {
  const postgres = await startPostgres({
    shared_buffers: '2GB',
    max_wal_size: '16GB',
    work_mem: '32MB',
    max_parallel_workers_per_gather: '0',
  })
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  await admin.query(`create role counterfoil login createrole password 'bench'`)
  await admin.query('create database counterfoil owner counterfoil')
  await admin.end()
  const url = new URL(postgres.adminUrl)
  url.username = 'counterfoil'
  url.password = 'bench'
  url.pathname = 'counterfoil'
  const settings = { DATABASE_URL: url.href, DATA_DIR: dataDir }
  await runCounterfoil(['seed-demo'], settings)
  const server = await startServer(SERVER_PORT, settings)
  return {
    postgres,
    settings,
    server,
    stop: async () => {
      await server.stop()
      await postgres.stop()
    },
  }
}

export const signInCall = (username: string): HttpCall => ({
  path: '/token',
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'password',
    username,
    password: DEMO_PASSWORD,
    client_id: 'bench',
    client_secret: 'bench',
  }).toString(),
})

/** Signs in and returns the headers of a user acting for that customer. */
export const signInHeaders = async (url: string, username: string, customerId: number): Promise<Record<string, string>> => {
  const client = openClient(url, 1)
  const { body } = await client.send(signInCall(username))
  client.close()
  const { access_token: token } = JSON.parse(body.toString()) as { access_token: string }
  return { authorization: `Bearer ${token}`, 'x-customer-id': String(customerId) }
}

/** As many as sixteen clients need: of one person two requests are worked on at once. */
const PEOPLE = 8
/** More at once are told to come later, because their passwords wait to be hashed. */
const SIGN_INS_AT_ONCE = 16
const addPeople = (people: number): string => `
  with person as (
    insert into app_user (reseller_id, brand_id, username, display_name, password_hash, password_changed_at)
    select reseller_id, brand_id, 'bench-' || n, 'Bench ' || n, password_hash, password_changed_at
    from app_user, generate_series(1, ${people}) n where username = 'demo' on conflict do nothing returning id)
  insert into user_customer (user_id, customer_id)
  select person.id, c.customer_id from person, user_customer c join app_user u on u.id = c.user_id where u.username = 'demo'`

/** Signs in several people who may see what demo sees, so that nobody waits for the own requests. */
export const signInPeople = async (
  url: string,
  adminUrl: string,
  customerId: number,
  people = PEOPLE,
): Promise<Record<string, string>[]> => {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(addPeople(people)).finally(() => admin.end())
  const signedIn: Record<string, string>[] = []
  for (let from = 0; from < people; from += SIGN_INS_AT_ONCE) {
    const names = Array.from({ length: Math.min(SIGN_INS_AT_ONCE, people - from) }, (_, at) => `bench-${from + at + 1}`)
    signedIn.push(...(await Promise.all(names.map((name) => signInHeaders(url, name, customerId)))))
  }
  return signedIn
}
