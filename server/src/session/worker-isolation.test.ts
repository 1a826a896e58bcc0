import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runCommand } from '../../test/support/operator.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { addTenants, type Tenants } from '../../test/support/tenants.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { usageCsv } from '../imports/usage/usage-sample.data.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { DISTRIBUTED_TABLES, DISTRIBUTED_VIEWS } from '../usage-store/distributed-tables.data.ts'

const testDatabase = inject('testDatabase')
const [adminUrl, workerUrls] = testDatabase.kind === 'postgres' ? [testDatabase.adminUrl, testDatabase.workerUrls] : ['', []]

const ROLES = ['counterfoil_app', 'counterfoil_reseller', 'counterfoil_loader', 'counterfoil_system', 'counterfoil_backup'] as const
type Role = (typeof ROLES)[number]
/** All but the role that backups read everything as. */
const BOUND = ROLES.filter((role) => role !== 'counterfoil_backup')

/** The customers whose rows a statement showed, or the code of the error. */
type Answer = readonly number[] | string

describe.skipIf(workerUrls.length === 0)('whoever reaches a node directly', () => {
  let context: TestContext
  let tenants: Tenants
  let database: string
  /** The shards that each worker holds of the seven tables and their months. */
  const shards = new Map<string, readonly string[]>()

  beforeAll(async () => {
    context = await testContext()
    tenants = await addTenants(context)
    await mergeUsage(context.store, new AbortController().signal)
    const [row] = await queryAsAdministrator<{ name: string }>(context, 'select current_database()::text as name')
    database = row?.name ?? ''
    for (const url of workerUrls) {
      const admin = await connect(url, 'postgres')
      await admin.query('set citus.override_table_visibility = off')
      const found = await admin.query<{ name: string }>(
        `select relname::text as name from pg_class where relname ~ '^usage_.*_[0-9]{6,}$' and relkind in ('r', 'p') order by 1`,
      )
      await admin.end()
      shards.set(
        url,
        found.rows.map(({ name }) => name),
      )
    }
  })
  afterAll(() => context.close())

  const connect = async (node: string, role: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(node), { username: role, pathname: database }).href })
    await client.connect()
    return client
  }

  /** Does work as each of these roles, on every worker, or on every node. */
  const onNodes = async (
    nodes: readonly string[],
    roles: readonly Role[],
    work: (client: pg.Client, node: string, role: Role) => Promise<void>,
  ): Promise<void> => {
    for (const node of nodes)
      for (const role of roles) {
        const client = await connect(node, role)
        await work(client, node, role).finally(() => client.end())
      }
  }

  /** Sends statements in a transaction that is rolled back. @returns the customers in the last one's rows */
  const ask = async (client: pg.Client, ...statements: readonly string[]): Promise<Answer> => {
    try {
      await client.query('begin')
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) ({ rows } = await client.query(statement))
      return [...new Set(rows.map((row) => Number(row['customer_id'])))].toSorted((a, b) => a - b)
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await client.query('rollback')
    }
  }

  /** The settings of a request of a customer. */
  const requestOf = (customerId: number, resellerId: number): string[] => [
    "set local citus.propagate_set_commands = 'local'",
    `set local app.customer_id = '${customerId}'`,
    `set local app.reseller_id = '${resellerId}'`,
  ]

  /** Every name by which usage can be read on a node. */
  const relationsOn = (node: string): string[] => [...DISTRIBUTED_TABLES, ...DISTRIBUTED_VIEWS, ...(shards.get(node) ?? [])]

  test('[SCALE-04] the workers hold shards of every table of usage, with forced row-level security on each', async () => {
    for (const url of workerUrls) {
      const names = shards.get(url) ?? []
      for (const table of DISTRIBUTED_TABLES)
        expect(
          names.some((name) => new RegExp(`^${table}_\\d+$`).test(name)),
          table,
        ).toBe(true)
      const admin = await connect(url, 'postgres')
      const { rows } = await admin.query(
        'select relname from pg_class where relname = any($1) and not (relrowsecurity and relforcerowsecurity)',
        [names],
      )
      await admin.end()
      expect(rows).toEqual([])
    }
  })

  test('[SCALE-04] sees no row without a tenant, in any table, view or shard, as any role but that of backups', async () => {
    await onNodes([adminUrl, ...workerUrls], BOUND, async (client, node, role) => {
      for (const relation of relationsOn(node))
        expect([[], '42501'], `${role}, ${node}, ${relation}`).toContainEqual(await ask(client, `select customer_id from ${relation}`))
    })
  }, 300_000)

  test('[SCALE-04] sees the named customer alone, in every table, view and shard', async () => {
    const { first } = tenants.ours
    for (const { id, resellerId } of [first, tenants.rivals.first]) {
      let seen = 0
      await onNodes([adminUrl, ...workerUrls], ['counterfoil_app'], async (client, node) => {
        for (const relation of relationsOn(node)) {
          const answer = await ask(
            client,
            ...requestOf(id, resellerId),
            `select customer_id from only ${relation} union all select customer_id from ${relation}`,
          )
          expect([[id], [], '42501'], `${node}, ${relation}`).toContainEqual(answer)
          if (answer.length === 1) seen += 1
        }
      })
      expect(seen).toBeGreaterThan(10)
    }
  }, 300_000)

  /** What a role may say that speaks to Citus or changes who it is. */
  const SETTINGS = [
    ...[...ROLES, 'counterfoil_test', 'postgres', 'none'].map((role) => `set local role ${role}`),
    'set session authorization counterfoil_test',
    'set session authorization default',
    'set local row_security = off',
    "set local session_replication_role = 'replica'",
    'set local citus.override_table_visibility = off',
    "set local citus.show_shards_for_app_name_prefixes = '*'",
    "set local application_name = 'citus_internal gpid=1'",
    "set local citus.propagate_set_commands = 'none'",
    'set local citus.enable_router_execution = off',
    'set local citus.enable_local_execution = off',
    'set local citus.enable_fast_path_router_planner = off',
    'set local citus.enable_ddl_propagation = off',
    'set local citus.enable_metadata_sync = off',
    'set local citus.enable_unsafe_triggers = on',
    'set local citus.allow_nested_distributed_execution = on',
    'set local citus.allow_unsafe_locks_from_workers = on',
    "set local citus.enable_manual_metadata_changes_for_user = 'counterfoil_app'",
    "set local citus.node_conninfo = 'sslmode=disable'",
    "set local citus.local_hostname = 'elsewhere'",
    "set local app.reseller_id = 'nobody'",
  ]

  test('[SCALE-04] gains nothing by a setting', async () => {
    const { first } = tenants.ours
    await onNodes([adminUrl, ...workerUrls], ['counterfoil_app'], async (client, node) => {
      for (const setting of SETTINGS)
        for (const relation of [
          'usage_record',
          'usage_version',
          ...(shards.get(node) ?? []).filter((name) => /^usage_(version|record)_\d{6,}$/.test(name)),
        ]) {
          const answer = await ask(client, ...requestOf(first.id, first.resellerId), setting, `select customer_id from ${relation}`)
          if (typeof answer !== 'string') expect([[first.id], []], `${setting}, ${relation}`).toContainEqual(answer)
        }
    })
  }, 300_000)

  test('[SCALE-04] sees no more after another customer was named, in a transaction, a savepoint, a prepared statement or a session', async () => {
    const { first, second } = tenants.ours
    const read = 'select customer_id from usage_version'
    const name = ({ id }: { id: number }): string => `set local app.customer_id = '${id}'`
    await onNodes([adminUrl, ...workerUrls], ['counterfoil_app'], async (client) => {
      const begun = requestOf(first.id, first.resellerId)
      expect(await ask(client, ...begun, read, name(second), read)).toEqual([second.id])
      expect(await ask(client, ...begun, read, 'savepoint s', name(second), read, 'rollback to s', read)).toEqual([first.id])
      expect(await ask(client, ...begun, `prepare p as ${read}`, 'execute p', name(second), 'execute p')).toEqual([second.id])
      expect(await ask(client, ...begun, 'execute p')).toEqual([first.id])
      expect(await ask(client, read)).toEqual([])
      expect([[first.id], [second.id]]).toContainEqual(
        await ask(client, ...begun, `declare c cursor for ${read}`, name(second), 'fetch all from c'),
      )
      expect(await ask(client, ...begun, `select customer_id from usage_version where customer_id = ${second.id} or true`)).toEqual([
        first.id,
      ])
      expect(
        await ask(client, ...begun, `select 1 / (customer_id - ${second.id}) from usage_version where customer_id = ${second.id}`),
      ).toEqual([])
    })
  })

  /** Citus' own functions, with which rows could be read elsewhere, and tables made bare. `%s` is a shard. */
  const FUNCTIONS = [
    "select result as customer_id from run_command_on_shards('usage_version', 'select max(customer_id) from %s') where result <> '' and success",
    "select result as customer_id from run_command_on_placements('usage_version', 'select max(customer_id) from %s') where result <> '' and success",
    "select result as customer_id from run_command_on_workers('select max(customer_id) from usage_version') where result <> '' and success",
    "select result as customer_id from run_command_on_all_nodes('select max(customer_id) from usage_version') where result <> '' and success",
    "select result as customer_id from run_command_on_all_nodes('set role counterfoil_test') where success",
    "select result as customer_id from run_command_on_colocated_placements('usage_version', 'usage_delta', 'select max(customer_id) from %s') where result <> '' and success",
    'copy usage_version to program $$cat$$',
    'copy usage_version to $$/tmp/usage$$',
    "select undistribute_table('usage_version')",
    "select alter_distributed_table('usage_version', shard_count => 4)",
    "select create_distributed_table('invoice', 'customer_id')",
    "select truncate_local_data_after_distributing_table('usage_version')",
    "select worker_drop_distributed_table('usage_version')",
    "select worker_drop_shell_table('usage_version')",
    "select citus_drop_all_shards('usage_version'::regclass, 'public', 'usage_version')",
    "select citus_remove_node('127.0.0.1', 1)",
    "select citus_add_node('127.0.0.1', 1)",
    'select count(*) from pg_dist_authinfo',
    'delete from pg_dist_partition',
    'update pg_dist_placement set groupid = 0',
    'alter table usage_version disable row level security',
    'alter table usage_version no force row level security',
    'create policy mine on usage_version using (true)',
    'drop policy reseller_rows on usage_version',
    'create view public.mine as select * from usage_version',
    'create table public.mine (customer_id bigint)',
    "select worker_apply_shard_ddl_command(substring('%s' from '\\d+$')::bigint, 'alter table usage_version disable row level security')",
    'alter table %s disable row level security',
    'alter table %s owner to current_user',
    'create policy mine on %s using (true)',
    'create trigger mine after insert on %s for each row execute function suppress_redundant_updates_trigger()',
    'drop table %s',
    'truncate %s',
    'grant select on %s to public',
  ]

  test('[SCALE-04] gains nothing by the functions of Citus, nor by changing tables and shards', async () => {
    const { first } = tenants.ours
    await onNodes([adminUrl, ...workerUrls], BOUND, async (client, node, role) => {
      const shard = shards.get(node)?.find((name) => name.startsWith('usage_version_')) // the coordinator has none
      for (const statement of FUNCTIONS.filter((text) => shard !== undefined || !/(?<!from )%s/.test(text)))
        expect([[], expect.stringMatching(/^(42|XX000|0A000|55000)/)], `${role}, ${node}, ${statement}`).toContainEqual(
          await ask(
            client,
            ...requestOf(first.id, first.resellerId),
            shard === undefined ? statement : statement.replace(/(?<!from )%s/, shard),
          ),
        )
    })
  }, 300_000)

  /** The rows of a reseller in each table, as an administrator reads them. */
  const rowsOf = (resellerId: number): Promise<unknown[]> =>
    Promise.all(
      DISTRIBUTED_TABLES.map((table) =>
        queryAsAdministrator(context, `select t::text as row from ${table} t where reseller_id = ${resellerId} order by 1`),
      ),
    )

  test("changes nothing of another reseller's rows, in any table or shard, as any role", async () => {
    const { ours, rivals } = tenants
    const before = await rowsOf(rivals.id)
    expect(before.flat().length).toBeGreaterThan(5)
    const rivalShards = await queryAsAdministrator<{ name: string }>(
      context,
      `select t || '_' || get_shard_id_for_distribution_column(t::regclass, ${rivals.first.id}::bigint) as name from unnest($1::text[]) t`,
      [DISTRIBUTED_TABLES],
    )
    const settings = requestOf(ours.first.id, ours.id)
    await onNodes([adminUrl, ...workerUrls], ROLES, async (client, node) => {
      const held = rivalShards.map(({ name }) => name).filter((name) => shards.get(node)?.includes(name))
      for (const relation of [...DISTRIBUTED_TABLES, ...held]) {
        for (const write of [
          `delete from ${relation}`,
          `with gone as (delete from only ${relation} where customer_id = ${rivals.first.id} returning *) select * from gone`,
          `update ${relation} set reseller_id = ${ours.id} where customer_id = ${rivals.first.id}`,
          `truncate ${relation}`,
        ])
          await ask(client, ...settings, write, 'commit')
      }
      for (const relation of ['usage_version', ...held.filter((name) => name.startsWith('usage_version'))]) {
        const planting = `insert into ${relation} (customer_id, reseller_id, version) values (${rivals.first.id}, ${rivals.id}, 9)`
        expect(await ask(client, ...settings, `${planting} on conflict do nothing`), relation).toBe('42501')
      }
    })
    expect(await rowsOf(rivals.id)).toEqual(before)
  }, 300_000)

  test('[SCALE-04] cannot change a record, where a trigger refused it on one server: the right is revoked, on shards too', async () => {
    await onNodes([adminUrl, ...workerUrls], ROLES, async (client, node) => {
      for (const relation of ['usage_record', ...(shards.get(node) ?? []).filter((name) => name.startsWith('usage_record_'))])
        expect(await ask(client, ...requestOf(tenants.ours.first.id, tenants.ours.id), `update ${relation} set price = 0`), relation).toBe(
          '42501',
        )
    })
  })

  test('[SCALE-04] cannot load usage of a customer of another reseller, where the policy looked it up: the load does', async () => {
    const { ours, rivals } = tenants
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-foreign-'))
    try {
      const file = join(folder, 'usage.csv')
      const { marker } = ours.first
      for (const customer of [`${rivals.first.marker}reference`, String(rivals.first.id)]) {
        writeFileSync(file, usageCsv([{ customer, service: `${marker}service`, recordType: `${marker}kind`, date: '2026-11-05' }]))
        const { exit, err } = await runCommand(context, 'import', 'usage', file, '--reseller', String(ours.id))
        expect([exit, err]).toEqual([1, expect.stringContaining('customer')])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
    const crossed = await queryAsAdministrator(
      context,
      'with v as materialized (select customer_id, reseller_id from usage_version) select from v join customer c on c.id = v.customer_id where c.reseller_id <> v.reseller_id',
    )
    expect(crossed).toEqual([])
  })
})
