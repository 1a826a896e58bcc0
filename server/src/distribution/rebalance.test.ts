import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CitusDatabase, type CitusNode, openCitusDatabase } from '../../test/databases/citus.ts'
import { COMMAND } from '../../test/support/cli-home.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { runCommand } from '../../test/support/operator.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addUsage, readUsagePages } from '../../test/support/usage.ts'
import { postgresStore } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { ensureMonths } from '../usage-store/usage-months.queries.ts'
import { keepDistributionAway, liftLimits } from './distributed-tables.queries.ts'
import { sumResellers } from './usage-lock.service.ts'

const citusUrl = process.env['TEST_CITUS_URL']
const SHARDS = 4

describe.skipIf(citusUrl === undefined)('on Citus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-rebalance-'))
  let database: CitusDatabase
  let context: TestContext
  let answers: () => Promise<string[]>
  let before: { readonly pages: string[]; readonly sums: ReadonlyMap<number, string> }

  beforeAll(async () => {
    database = await openCitusDatabase(citusUrl ?? '', `counterfoil_rebalance_${process.pid}`)
    await askCoordinator(`alter database counterfoil_rebalance_${process.pid} set citus.shard_count = ${SHARDS}`)
    for (const { host, port } of database.workers.slice(1)) await askCoordinator(`select citus_remove_node('${host}', ${port})`)
    const store = postgresStore(database.url, console.error, { maxPerPool: 5, isUsageApart: true })
    await migrate(store)
    context = await testContext({ DATABASE_URL: database.url }, { store })
    const seeded = await addUsage(context, 400)
    for (const seed of [8, 9, 10]) await addUsage(context, 20, seed)
    await mergeUsage(store, new AbortController().signal)
    const app = await context.app()
    const call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
    answers = () => readUsagePages(call, seeded)
    before = { pages: await answers(), sums: await sumResellers(store) }
  })
  afterAll(async () => {
    await context.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const askCoordinator = <Row extends object>(statement: string): Promise<Row[]> => database.query<Row>(database.coordinator, statement)

  /** Starts `counterfoil distribute`, and tells of each line that it prints. @returns what became of it */
  const distribute = async (options: readonly string[], onLine: (line: string, kill: () => void) => void) => {
    const child = spawn(process.execPath, [COMMAND, 'distribute', ...options], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const err = text(child.stderr)
    for await (const line of createInterface({ input: child.stdout })) onLine(line, () => child.kill('SIGKILL'))
    const [exit, signal] = await closed
    return { exit, isKilled: signal === 'SIGKILL', err: await err }
  }

  const run = async (...options: string[]): Promise<{ exit: number | null; out: string[]; err: string }> => {
    const out: string[] = []
    const { exit, err } = await distribute(options, (line) => void out.push(line))
    return { exit, out, err }
  }

  /** Does it, killed after its first step, then after its second, and so on until it is done. @returns how often it was killed */
  const killAfterEachStep = async (...options: string[]): Promise<number> => {
    for (let kills = 0; ; kills += 1) {
      let steps = 0
      const { exit, isKilled, err } = await distribute([...options, '--yes'], (line, kill) => {
        if (!line.includes(' is to ')) steps += 1 // else it says what it is going to do
        if (steps > kills) kill()
      })
      if (isKilled) continue
      expect(exit, err).toBe(0)
      return kills
    }
  }

  /** Reads pages while work runs, and expects what they were before all. */
  const whileReading = async <T>(work: () => Promise<T>): Promise<T> => {
    const over = new AbortController()
    let differing = 0
    const reading = (async () => {
      while (!over.signal.aborted) if (JSON.stringify(await answers()) !== JSON.stringify(before.pages)) differing += 1
    })()
    const result = await work().finally(() => over.abort())
    await reading
    expect(differing).toBe(0)
    return result
  }

  const expectSameUsage = async (): Promise<void> => {
    expect(await answers()).toEqual(before.pages)
    expect(await sumResellers(context.store)).toEqual(before.sums)
  }

  /** How many shard groups each worker has. */
  const countShardGroups = async (): Promise<number[]> => {
    const rows = await askCoordinator<{ n: number }>(
      `select count(p.shardid)::int as n from pg_dist_node n left join pg_dist_placement p on p.groupid = n.groupid
         and p.shardid in (select shardid from pg_dist_shard where logicalrelid = 'usage_version'::regclass)
       where n.groupid <> 0 group by n.groupid order by n.groupid`,
    )
    return rows.map(({ n }) => n)
  }

  /** What killed commands have left: prepared transactions, shards that Citus does not know, and what was lifted for a move. */
  const leftovers = async (): Promise<unknown[]> => {
    await askCoordinator('call citus_cleanup_orphaned_resources()')
    const known = await askCoordinator<{ name: string }>('select shard_name(logicalrelid, shardid)::text as name from pg_dist_shard')
    const left: unknown[] = []
    for (const node of [database.coordinator, ...database.workers]) {
      left.push(...(await database.query(node, 'select gid from pg_prepared_xacts where database = current_database()')))
      const shards = await database.query<{ name: string; isForced: boolean }>(
        node,
        `select relname::text as name, relforcerowsecurity as "isForced" from pg_class
         where relkind in ('r', 'p') and relname ~ '^usage_'`,
      )
      const names = new Set(known.map(({ name }) => name))
      left.push(...shards.filter(({ name, isForced }) => !isForced || (/_\d{6,}$/.test(name) && !names.has(name))))
      if (node !== database.coordinator)
        left.push(
          ...(await database.query(
            node,
            `select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())
             and 'statement_timeout=0' = any(setconfig)`,
          )),
        )
    }
    return left
  }

  test('[SCALE-02] usage is distributed by a command that is killed at each of its steps', async () => {
    expect(await run('--rebalance', '--yes')).toMatchObject({ exit: 1, err: expect.stringContaining('run counterfoil distribute first') })
    expect(await killAfterEachStep()).toBeGreaterThan(10)
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
  }, 600_000)

  test('[SCALE-02] a worker that was added gets its share, by a command that is killed at each of its steps, with readers at work', async () => {
    expect(await run('--rebalance')).toMatchObject({ exit: 0, out: [expect.stringContaining('There is nothing to move')] })
    for (const { host, port } of database.workers.slice(1)) await askCoordinator(`select citus_add_node('${host}', ${port})`)
    await whileReading(async () => expect(await killAfterEachStep('--rebalance')).toBeGreaterThan(2))
    expect(Math.min(...(await countShardGroups()))).toBeGreaterThanOrEqual(Math.floor(SHARDS / database.workers.length))
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
  }, 600_000)

  test('[SCALE-02] a move that would lose rows changes nothing, and says so', async () => {
    const [first] = database.workers
    const last = database.workers.at(-1)
    if (first === undefined || last === undefined) throw new Error('no workers')
    await setShouldHaveShards(first, false)
    await database.query(
      last,
      `set citus.enable_ddl_propagation = off;
       create function lose_row() returns trigger language plpgsql as 'begin return null; end';
       create function lose_rows() returns event_trigger language plpgsql as $$ declare made text; begin
         for made in select object_identity from pg_event_trigger_ddl_commands() where object_identity like 'public.usage_version_%' loop
           execute 'create trigger lost before insert on ' || made || ' for each row execute function lose_row()';
         end loop; end $$;
       create event trigger lose_rows on ddl_command_end when tag in ('CREATE TABLE') execute function lose_rows()`,
    )
    const groups = await countShardGroups()
    const { exit, err } = await run('--rebalance', '--yes')
    expect({ exit, err }).toMatchObject({ exit: 1, err: expect.stringContaining('it stays where it is') })
    await database.query(last, 'drop event trigger lose_rows; drop function lose_rows; drop function lose_row cascade')
    expect(await countShardGroups()).toEqual(groups)
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
  }, 600_000)

  const setShouldHaveShards = ({ host, port }: CitusNode, value: boolean) =>
    askCoordinator(`select citus_set_node_property('${host}', ${port}, 'shouldhaveshards', ${value})`)

  test('[SCALE-02] a backup keeps the move away, which waits for the last statement of a killed command', async () => {
    await context.store.transact({ role: 'owner' }, async (db) => {
      await keepDistributionAway(db)
      expect(await run('--rebalance', '--yes')).toMatchObject({ exit: 1, err: expect.stringContaining('backup of this database') })
    })
    const steps: string[] = []
    let killed: ReturnType<typeof distribute> | null = null
    await context.store.transact({ role: 'owner' }, async (db) => {
      await liftLimits(db)
      killed = distribute(['--rebalance', '--yes'], (line, kill) => {
        if (line.includes(' is to ')) return
        steps.push(line)
        kill()
      })
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
      await vi.waitFor(async () => expect(await askCoordinator(waiting)).toHaveLength(1), { timeout: 60_000 })
      expect(steps).toEqual([])
    })
    await killed
  }, 600_000)

  test('[SCALE-02] a move waits for a month that is being made, and a month for a move', async () => {
    const [first] = database.workers
    if (first === undefined) throw new Error('no workers')
    const make = (month: string, beforeEnd = async () => {}) =>
      context.store.transact(
        { role: 'owner' },
        async (db) => {
          await ensureMonths(db, [month])
          await beforeEnd()
        },
        { pool: 'background' },
      )
    const runs: ReturnType<typeof run>[] = []
    await make('2027-05-01', async () => {
      runs.push(run('--rebalance', '--yes', '--json'))
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
      await vi.waitFor(async () => expect(await askCoordinator(waiting)).toHaveLength(1), { timeout: 60_000 })
    })
    const [moving] = await Promise.all(runs)
    expect(moving?.exit, moving?.err).toBe(0)
    const from = `${first.host}:${first.port}`
    const move = { shardId: expect.any(Number), from, to: expect.any(String), bytes: expect.any(Number) }
    expect(JSON.parse(moving?.out.join('') ?? '')).toEqual({ distributed: true, moves: [move, move] })

    await setShouldHaveShards(first, true)
    const making: Promise<void>[] = []
    const moved = await distribute(['--rebalance', '--yes'], (line) => {
      if (line.startsWith('Noted the sums')) making.push(...['2027-06-01', '2027-07-01'].map((month) => make(month)))
    })
    expect(moved.exit, moved.err).toBe(0)
    await Promise.all(making)
    await setShouldHaveShards(first, false)
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
  }, 600_000)

  test('[SCALE-02] a worker that is to have none is emptied, with readers at work, and no backup is made meanwhile', async () => {
    const backup = () => runCommand(context, 'backup', join(folder, 'backup'))
    let refused: ReturnType<typeof backup> | null = null
    await whileReading(async () => {
      const { exit, err } = await distribute(['--rebalance', '--yes'], (line) => {
        if (line.includes('was moved')) refused ??= backup()
      })
      expect(exit, err).toBe(0)
    })
    expect(await refused).toMatchObject({ exit: 1, err: expect.stringContaining('counterfoil distribute is at work') })
    expect((await countShardGroups())[0]).toBe(0)
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
    const [empty] = database.workers
    await askCoordinator(`select citus_remove_node('${empty?.host}', ${empty?.port})`)
    await expectSameUsage()
  }, 600_000)

  test('[SCALE-02] usage is brought back by a command that is killed at each of its steps', async () => {
    expect(await killAfterEachStep('--undo')).toBeGreaterThan(8)
    await expectSameUsage()
    expect(await leftovers()).toEqual([])
  }, 600_000)
})
