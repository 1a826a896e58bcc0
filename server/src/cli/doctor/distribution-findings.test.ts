import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runAsAdministrator } from '../../../test/databases/administrator.ts'
import { type CitusDatabase, openCitusDatabase } from '../../../test/databases/citus.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addUsage } from '../../../test/support/usage.ts'
import { postgresStore, type Store } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { distributeUsage, undistributeUsage } from '../../distribution/distribute.service.ts'
import { lockDistribution } from '../../distribution/distributed-tables.queries.ts'
import type { TroubleLimits } from '../../distribution/distribution-troubles.service.ts'
import { databaseFindings } from './database-findings.ts'
import { distributionFindings } from './distribution-findings.ts'
import type { Finding } from './finding.ts'

const citusUrl = process.env['TEST_CITUS_URL']

const SET_MARK = "insert into migration (name, digest) values ('distributed', '')"
const REMOVE_MARK = "delete from migration where name = 'distributed'"

test.skipIf(inject('testDatabase').kind !== 'postgres')(
  'a database with the mark of distribution and without Citus is a fault',
  async () => {
    const context = await testContext()
    try {
      expect(await distributionFindings(context.store)).toEqual([])
      await queryAsAdministrator(context, SET_MARK)
      const says = 'The mark says that usage is distributed, and this database has no Citus.'
      expect(await distributionFindings(context.store)).toMatchObject([{ about: 'usage', state: 'bad', says }])
    } finally {
      await context.close()
    }
  },
)

/** A node may take ten seconds, and the others their own time. */
const MAX_MS = 15_000

/** The finding that all is well. */
const WELL = { about: 'nodes', state: 'good' }

describe.skipIf(citusUrl === undefined)('on Citus', () => {
  let database: CitusDatabase
  let context: TestContext
  let distributing: Store
  let tenants: { readonly resellerId: number; readonly customerId: number }[]
  /** One whose usage stands on the worker. */
  let tenant: { readonly resellerId: number; readonly customerId: number }
  let coordinator: string
  let worker: string
  /** As in `127.0.0.1:6401`. */
  let workerName: string
  let workerPort: number
  /** How many there are. */
  let workers: number

  beforeAll(async () => {
    database = await openCitusDatabase(citusUrl ?? '', `counterfoil_doctor_${process.pid}`)
    const store = postgresStore(database.url, () => undefined, { maxPerPool: 2 })
    const { rows: nodes } = await store.pools.background.query<{ name: string }>(
      "select nodename || ':' || nodeport as name from pg_dist_node order by groupid",
    )
    const [first = '', second = ''] = nodes.map(({ name }) => urlAt(name))
    ;[coordinator, worker] = [first, second]
    workerName = new URL(worker).host
    workerPort = Number(new URL(worker).port)
    workers = nodes.length - 1
    await migrate(store)
    context = await testContext({}, { store })
    distributing = postgresStore(database.url, () => undefined, { maxPerPool: 4, name: 'counterfoil start', isDistributed: true })
    tenants = []
    for (let seed = 1; seed <= 6; seed += 1) tenants.push(await addUsage(context, 30, seed)) // some on every worker
  })
  afterAll(async () => {
    await distributing.close()
    await context.close()
    await database.drop()
  })

  const examine = (limits: Partial<TroubleLimits> = {}): Promise<Finding[]> => distributionFindings(context.store, limits)

  /** Plants something by a statement at a node, and takes it back. @returns what the doctor finds meanwhile */
  const examineWith = async (at: string, planted: string, back: string, limits: Partial<TroubleLimits> = {}): Promise<Finding[]> => {
    await runAsAdministrator(at, planted)
    try {
      return await examine(limits)
    } finally {
      await runAsAdministrator(at, back)
    }
  }

  /** The URL of the database on a node, for a superuser. */
  const urlAt = (node: string): string => {
    const url = new URL(citusUrl ?? '')
    url.host = node
    url.pathname = new URL(database.url).pathname
    return url.href
  }

  /** The part of a table on the worker where a customer's rows stand. */
  const shardOf = async (table: string): Promise<string> => {
    const { rows } = await context.store.pools.background.query<{ shard: string }>(
      'select shard_name($1::regclass, get_shard_id_for_distribution_column($1::regclass, $2::bigint)) as shard',
      [table, tenant.customerId],
    )
    return rows[0]?.shard ?? ''
  }

  /** Lets a statement hold on the node that gets it, and on no other. */
  const LOCALLY = 'set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;'

  test('[SCALE-03] a mark without distributed tables, then rows that were left on the coordinator', async () => {
    expect(await examine()).toEqual([])
    await runAsAdministrator(coordinator, SET_MARK)
    const says = 'The mark says that usage is distributed, and none of its tables is.'
    expect(await examine()).toContainEqual(expect.objectContaining({ state: 'bad', says }))
    const interrupted = distributeUsage(distributing, (words) => {
      if (words.endsWith(' 0 tables left.')) throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    expect(await examine()).toEqual([
      expect.objectContaining({ state: 'warning', says: expect.stringMatching(/^The coordinator still has the earlier rows of usage_/) }),
    ])
    await distributeUsage(distributing, () => undefined)
    expect(await examine()).toMatchObject([WELL])
    expect(await databaseFindings(context.store, context.config, context.clock)).not.toContainEqual(
      expect.objectContaining({ about: 'roles', state: 'bad' }),
    )
    const { rows } = await context.store.pools.background.query<{ id: number }>(
      `select c.id from unnest($1::bigint[]) c (id)
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('usage_version', c.id) where p.groupid = 1`,
      [tenants.map(({ customerId }) => customerId)],
    )
    tenant = tenants.find(({ customerId }) => customerId === rows[0]?.id) ?? expect.unreachable('no customer on the worker')
  }, 120_000)

  /** Gives the worker another address, as far as the coordinator knows. */
  const moveWorker = (port: number): string => `update pg_dist_node set nodeport = ${port} where groupid = 1`

  test('[SCALE-03] a worker that nobody listens for', async () => {
    expect(await examineWith(coordinator, moveWorker(1), moveWorker(workerPort))).toMatchObject([
      { about: 'nodes', state: 'bad', says: '127.0.0.1:1 does not answer: failed to connect to 127.0.0.1:1.' },
    ])
  })

  test('[SCALE-03] a worker that accepts connections and says nothing is found within seconds', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const begun = performance.now()
      const found = await examineWith(coordinator, moveWorker(port), moveWorker(workerPort))
      expect(performance.now() - begun).toBeLessThan(MAX_MS)
      const address = `127.0.0.1:${port}`
      expect(found).toMatchObject([{ about: 'nodes', state: 'bad', says: `${address} does not answer: failed to connect to ${address}.` }])
    } finally {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }, 30_000)

  test('[SCALE-03] a worker that lets in and answers nothing is found within seconds', async () => {
    const [owner, name] = [new URL(database.url).username, new URL(database.url).pathname.slice(1)]
    const holding = new pg.Client({ connectionString: worker })
    await holding.connect()
    try {
      await runAsAdministrator(worker, `${LOCALLY} alter role ${owner} in database ${name} set lock_timeout = 0`)
      await holding.query('begin; lock table pg_trigger in access exclusive mode')
      const begun = performance.now()
      const found = await examine()
      expect(performance.now() - begun).toBeLessThan(MAX_MS)
      expect(found).toMatchObject([{ state: 'bad', says: `${workerName} does not answer: it took longer than 10 seconds.` }])
    } finally {
      await holding.end()
      await runAsAdministrator(worker, `${LOCALLY} alter role ${owner} in database ${name} set lock_timeout = '2s'`)
    }
  }, 30_000)

  test('[SCALE-03] a worker with another version of Citus', async () => {
    const set = (version: string): string =>
      `set citus.enable_version_checks = off; update pg_extension set extversion = ${version} where extname = 'citus'`
    const found = await examineWith(
      worker,
      set("'13.0-1'"),
      set("(select default_version from pg_available_extensions where name = 'citus')"),
    )
    expect(found).toContainEqual(
      expect.objectContaining({
        about: 'nodes',
        state: 'bad',
        says: expect.stringMatching(`^The nodes differ in their versions: .*${workerName} has PostgreSQL .* with Citus 13.0-1`),
      }),
    )
  })

  interface Planted {
    readonly what: string
    /** Through the coordinator, which tells the workers; or at one node alone. */
    readonly where: 'everywhere' | 'coordinator' | 'worker'
    readonly plant: string
    /** Takes it back. */
    readonly back: string
    readonly says: string
    readonly state?: Finding['state']
    /** What follows from it. */
    readonly follows?: string
  }

  const PLANTED: readonly Planted[] = [
    {
      what: 'a role that may not sign in on a worker',
      where: 'worker',
      plant: 'alter role counterfoil_backup nologin',
      back: 'alter role counterfoil_backup login',
      says: 'counterfoil_backup may not sign in on WORKER.',
    },
    {
      what: 'a role that the owner may not take on a worker',
      where: 'worker',
      plant: 'revoke counterfoil_backup from OWNER cascade',
      back: 'grant counterfoil_backup to OWNER with admin true, inherit false',
      says: 'OWNER may not take counterfoil_backup on WORKER.',
    },
    {
      what: 'a role whose rights the owner has without taking it',
      where: 'worker',
      plant: 'grant counterfoil_backup to OWNER with inherit true',
      back: 'grant counterfoil_backup to OWNER with inherit false',
      says: 'OWNER has the rights of counterfoil_backup on WORKER without taking one',
      state: 'warning',
    },
    {
      what: 'roles that a worker does not let in',
      where: 'worker',
      plant: 'revoke connect on database NAME from public',
      back: 'grant connect on database NAME to public',
      says: 'WORKER does not let counterfoil_app, counterfoil_reseller, counterfoil_system, counterfoil_loader, counterfoil_backup in from the coordinator: ',
    },
    {
      what: 'a worker whose database is another’s',
      where: 'worker',
      plant: 'alter database NAME owner to postgres',
      back: 'alter database NAME owner to OWNER',
      says: 'OWNER does not own the database on WORKER.',
    },
    {
      what: 'a setting of the owner that is missing on a worker',
      where: 'worker',
      plant: 'alter role OWNER in database NAME reset jit',
      back: 'alter role OWNER in database NAME set jit = off',
      says: 'OWNER does not have jit on WORKER as Counterfoil needs them.',
      state: 'warning',
    },
    {
      what: 'another table that is distributed',
      where: 'everywhere',
      plant: "create table apart (id bigint); select create_distributed_table('apart', 'id', colocate_with => 'none')",
      back: 'drop table apart',
      says: 'apart is distributed, and only tables of usage may be.',
    },
    {
      what: 'a table that stands apart from the others',
      where: 'everywhere',
      plant: "select update_distributed_table_colocation('usage_delta', colocate_with => 'none')",
      back: "select update_distributed_table_colocation('usage_delta', colocate_with => 'usage_version')",
      says: 'usage_delta may have a customer’s rows on another node than usage_version has them.',
    },
    {
      what: 'the mark, when it is missing',
      where: 'everywhere',
      plant: REMOVE_MARK,
      back: SET_MARK,
      says: 'Usage is distributed, and the mark that says so is missing',
    },
    {
      what: 'a trigger',
      where: 'coordinator',
      plant: 'create trigger planted before update on usage_delta for each row execute function suppress_redundant_updates_trigger()',
      back: 'drop trigger planted on usage_delta',
      says: 'There is the trigger planted on usage_delta, and a distributed table takes none.',
    },
    {
      what: 'a trigger on a part of a table',
      where: 'worker',
      plant: `create trigger planted before update on SHARD for each row execute function suppress_redundant_updates_trigger()`,
      back: `drop trigger planted on SHARD`,
      says: 'WORKER has the trigger planted on SHARD.',
    },
    {
      what: 'a policy that looks into another table',
      where: 'coordinator',
      plant: 'create policy planted on usage_delta to counterfoil_backup using (customer_id in (select id from customer))',
      back: 'drop policy planted on usage_delta',
      says: 'There is the policy planted on usage_delta, which looks into other rows, and the workers do not have it.',
    },
    {
      what: 'a table without forced row-level security',
      where: 'coordinator',
      plant: 'alter table usage_delta no force row level security',
      back: 'alter table usage_delta force row level security',
      says: 'Row-level security is not enabled and forced on usage_delta.',
    },
    {
      what: 'a part of a table without forced row-level security',
      where: 'worker',
      plant: `alter table SHARD no force row level security`,
      back: `alter table SHARD force row level security`,
      says: 'Row-level security is not enabled and forced on SHARD of WORKER',
    },
    {
      what: 'a part of a table without row-level security',
      where: 'worker',
      plant: `alter table MONTH disable row level security`,
      back: `alter table MONTH enable row level security`,
      says: 'Row-level security is not enabled and forced on MONTH of WORKER',
    },
    {
      what: 'a part that was left behind',
      where: 'worker',
      plant: `create table usage_delta_999999 (like usage_delta)`,
      back: `drop table usage_delta_999999`,
      says: 'WORKER still has shards that stand elsewhere now: usage_delta_999999.',
      state: 'warning',
    },
    {
      what: 'what else a move of shards has left',
      where: 'coordinator',
      plant: "insert into pg_dist_cleanup values (1, 1, 99, 'mislaid', 1, 1)",
      back: "delete from pg_dist_cleanup where object_name = 'mislaid'",
      says: 'A move of shards has left mislaid',
      state: 'warning',
    },
    {
      what: 'a part that is gone',
      where: 'worker',
      plant: `alter table SHARD rename to mislaid`,
      back: `alter table mislaid rename to SHARD`,
      says: 'WORKER does not have SHARD, which Citus has noted there: usage is missing.',
      follows: 'Usage cannot be read: relation "public.SHARD" does not exist.',
    },
    {
      what: 'usage that is noted for another reseller',
      where: 'everywhere',
      plant: 'update usage_version set reseller_id = OTHER where customer_id = CUSTOMER',
      back: 'update usage_version set reseller_id = RESELLER where customer_id = CUSTOMER',
      says: 'Reseller OTHER has usage of customer CUSTOMER, not of its own',
    },
    {
      what: 'a worker that shows usage to everybody',
      where: 'worker',
      plant: `create policy planted on VERSION for select to counterfoil_app using (true)`,
      back: `drop policy planted on VERSION`,
      says: 'WORKER shows usage to a request of no customer: row-level security does not hold there.',
    },
    {
      what: 'a worker that shows customers nothing',
      where: 'worker',
      plant: `drop policy customer_rows on VERSION`,
      back: `create policy customer_rows on VERSION to counterfoil_app using (customer_id = app_customer_id())`,
      says: 'WORKER shows no usage of customer CUSTOMER to a request of that customer, who has some.',
    },
    {
      what: 'a worker that shows customers no records',
      where: 'worker',
      plant: `drop policy customer_rows on RECORD`,
      back: `create policy customer_rows on RECORD to counterfoil_app using (customer_id = app_customer_id())`,
      says: 'WORKER shows no usage of customer CUSTOMER to a request of that customer, who has some.',
    },
  ]

  test.each(PLANTED)('[SCALE-03] $what', async ({ where, plant, back, says, state = 'bad', follows }) => {
    const { customerId, resellerId } = tenant
    const words: Record<string, string> = {
      WORKER: workerName,
      OWNER: new URL(database.url).username,
      NAME: new URL(database.url).pathname.slice(1),
      SHARD: await shardOf('usage_delta'),
      VERSION: await shardOf('usage_version'),
      RECORD: await shardOf('usage_record'),
      MONTH: await shardOf('usage_record_2026_07'),
      CUSTOMER: String(customerId),
      RESELLER: String(resellerId),
      OTHER: String(tenants.find((other) => other !== tenant)?.resellerId),
    }
    const fill = (text: string): string => text.replaceAll(/[A-Z]{4,}/g, (word) => words[word] ?? word)
    const prefix = where === 'everywhere' ? '' : LOCALLY
    const found = await examineWith(where === 'worker' ? worker : coordinator, `${prefix}${fill(plant)}`, `${prefix}${fill(back)}`)
    expect(found).toEqual([
      expect.objectContaining({ state, says: expect.stringContaining(fill(says)) }),
      ...(follows === undefined ? [] : [expect.objectContaining({ state, says: fill(follows) })]),
    ]) // and nothing of those before
  })

  test('[SCALE-03] a command that moves usage is told of, and what it changes for the time being is no trouble', async () => {
    const [owner, name] = [new URL(database.url).username, new URL(database.url).pathname.slice(1)]
    const limit = (value: string): string => `${LOCALLY} alter role ${owner} in database ${name} set statement_timeout = '${value}'`
    const shard = await shardOf('usage_version')
    const force = (words: string): string => `${LOCALLY} alter table ${shard} ${words} row level security`
    await runAsAdministrator(worker, `${limit('0')}; ${force('no force')}`)
    await runAsAdministrator(coordinator, `${LOCALLY} alter table usage_version no force row level security`)
    try {
      expect(await examine()).toHaveLength(3)
      await context.store.transact(
        { role: 'owner' },
        async (db) => {
          await lockDistribution(db)
          expect(await examine()).toEqual([
            expect.objectContaining({ state: 'warning', says: expect.stringContaining('counterfoil distribute is at work') }),
          ])
        },
        { pool: 'background' },
      )
    } finally {
      await runAsAdministrator(coordinator, `${LOCALLY} alter table usage_version force row level security`)
      await runAsAdministrator(worker, `${limit('15s')}; ${force('force')}`)
    }
    expect(await examine()).toMatchObject([WELL])
  })

  test('[SCALE-03] a transaction that was prepared, and nobody ended', async () => {
    const prepared = "begin; select pg_advisory_xact_lock(1); prepare transaction 'planted'"
    expect(await examineWith(worker, prepared, "rollback prepared 'planted'", { oldTransactionMs: 0 })).toMatchObject([
      { about: 'usage', state: 'bad', says: expect.stringContaining(`${workerName} has prepared transactions`) },
    ])
    expect(await examineWith(worker, prepared, "rollback prepared 'planted'")).toMatchObject([WELL])
  })

  test('[SCALE-03] usage that is spread unevenly, once there is much of it', async () => {
    const holds = (isIt: boolean): string => `update pg_dist_node set shouldhaveshards = ${isIt} where groupid = 0`
    expect(await examineWith(coordinator, holds(true), holds(false), { minUnevenBytes: 0 })).toMatchObject([
      { about: 'usage', state: 'warning', says: expect.stringMatching(/^Usage is spread unevenly: .* holds 0\.0 GiB/) },
    ])
    expect(await examine({ minUnevenBytes: 0 })).toMatchObject([WELL])
  })

  test('[SCALE-03] a worker whose disk is nearly full', async () => {
    const found = await examine({ minFreeBytes: 2 ** 60 })
    expect(found).toHaveLength(workers)
    expect(found[0]).toMatchObject({ about: 'nodes', state: 'bad', says: expect.stringContaining(`The disk of ${workerName} has `) })
  })

  test('[SCALE-03] tables of which some are not distributed', async () => {
    let moved = 0
    const interrupted = undistributeUsage(distributing, (words) => {
      if (words.includes('moved back') && ++moved === 2) throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    await context.store.transact(
      { role: 'owner' },
      async (db) => {
        await lockDistribution(db)
        expect((await examine()).filter(({ state }) => state === 'bad')).toEqual([])
      },
      { pool: 'background' },
    )
    expect(await examine()).toContainEqual(
      expect.objectContaining({
        state: 'bad',
        says: expect.stringMatching(/^usage_record, usage_\w+ are not distributed, and the others are\.$/),
      }),
    )
  }, 60_000)
})
