import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type CitusDatabase, openCitusDatabase } from '../../test/databases/citus.ts'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { runCommand } from '../../test/support/operator.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addUsage, readUsagePages } from '../../test/support/usage.ts'
import { findMiscounts, loadAndCorrect } from '../../test/support/usage-counters.ts'
import { databaseFindings } from '../cli/doctor/database-findings.ts'
import { postgresStore, type Store } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import { distributeUsage, undistributeUsage } from './distribute.service.ts'
import { forceRowSecurity } from './distributed-tables.queries.ts'
import { asOwner, forceRowSecurityAgain, thenPutBack } from './owner-limits.service.ts'

const citusUrl = process.env['TEST_CITUS_URL']

test.skipIf(inject('testDatabase').kind !== 'postgres')(
  '[SCALE-02] a database without Citus is not distributed, and nothing of it changes',
  async () => {
    const context = await testContext({}, { speaks: { isDistributed: true } })
    try {
      await expect(distributeUsage(context.store, () => undefined)).rejects.toThrow('This database has no Citus')
      expect(
        await queryAsAdministrator(
          context,
          "select rolname from pg_roles where rolname ~ '^counterfoil_' and rolcanlogin and rolname <> 'counterfoil_test'",
        ),
      ).toEqual([])
      expect(await queryAsAdministrator(context, "select name from migration where name = 'distributed'")).toEqual([])
    } finally {
      await context.close()
    }
  },
)

test.skipIf(inject('testDatabase').kind !== 'postgres')(
  '[SCALE-03] doctor calls it a fault where a role may sign in for nothing',
  async () => {
    const context = await testContext()
    const findings = () => databaseFindings(context.store, context.config, context.clock)
    const fault = expect.objectContaining({
      state: 'bad',
      says: 'counterfoil_backup may sign in, and only a distributed database needs that.',
    })
    try {
      expect(await findings()).not.toContainEqual(fault)
      await queryAsAdministrator(context, 'alter role counterfoil_backup login')
      expect(await findings()).toContainEqual(fault)
    } finally {
      await queryAsAdministrator(context, 'alter role counterfoil_backup nologin')
      await context.close()
    }
  },
)

class Interrupted extends Error {}

/** Does the work, interrupted after its first step, then after its second, and so on until it is done. @returns how often */
const interruptAfterEachStep = async (work: (report: (words: string) => void) => Promise<void>): Promise<number> => {
  for (let steps = 1; ; steps += 1) {
    let left = steps
    const isDone = await work(() => {
      left -= 1
      if (left === 0) throw new Interrupted()
    }).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Interrupted)) throw error
        return false
      },
    )
    if (isDone) return steps
  }
}

describe.skipIf(citusUrl === undefined)('on Citus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-citus-'))
  let database: CitusDatabase
  let context: TestContext
  let distributing: Store
  let seeded: Awaited<ReturnType<typeof addUsage>>
  let call: ReturnType<typeof clientFor>

  beforeAll(async () => {
    database = await openCitusDatabase(citusUrl ?? '', `counterfoil_citus_${process.pid}`)
    const store = postgresStore(database.url, console.error, { maxPerPool: 5, isUsageApart: true })
    await migrate(store)
    context = await testContext({}, { store })
    distributing = postgresStore(database.url, console.error, { maxPerPool: 4, name: 'counterfoil start', isDistributed: true })
    seeded = await addUsage(context, 400)
    await mergeUsage(store, new AbortController().signal)
    const app = await context.app()
    call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
  })
  afterAll(async () => {
    await distributing.close()
    await context.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const answers = (): Promise<string[]> => readUsagePages(call, seeded)

  /** How long a statement of the owner may take on each worker. */
  const ownerLimits = async (): Promise<(string | undefined)[]> => {
    const statement = `select split_part(setting, '=', 2) as limit from pg_db_role_setting, unnest(setconfig) setting
      where setdatabase = (select oid from pg_database where datname = current_database()) and setting ~ '^statement_timeout='`
    const answers = await Promise.all(database.workers.map((worker) => database.query<{ limit: string }>(worker, statement)))
    return answers.map(([row]) => row?.limit)
  }

  test('[SCALE-02] usage is distributed and brought back, interrupted after each step, with readers at work and the same answers', async () => {
    const before = await answers()
    const over = new AbortController()
    let differing = 0
    const reading = (async () => {
      while (!over.signal.aborted) if (JSON.stringify(await answers()) !== JSON.stringify(before)) differing += 1
    })()
    expect(await interruptAfterEachStep((report) => distributeUsage(distributing, report))).toBeGreaterThan(10)
    expect(await answers()).toEqual(before)
    expect(await interruptAfterEachStep((report) => undistributeUsage(distributing, report))).toBeGreaterThan(8)
    const limits: unknown[] = []
    await distributeUsage(distributing, (words) => {
      if (words.startsWith('Freed')) limits.push(ownerLimits())
    })
    expect(await limits[0]).toEqual(database.workers.map(() => '0'))
    expect(await ownerLimits()).toEqual(database.workers.map(() => '15s'))
    over.abort()
    await reading
    expect(differing).toBe(0)
    expect(await answers()).toEqual(before)
    expect(await findMiscounts(context, seeded.resellerId)).toEqual([])
  }, 600_000)

  test('[SCALE-02] row-level security is forced again once a download that holds a table is over, and at once on the others', async () => {
    const isForced = async () => {
      const names = `array['usage_delta', 'usage_version']::regclass[]`
      const rows = await database.query<{ isForced: boolean }>(
        database.coordinator,
        `select relforcerowsecurity as "isForced" from pg_class where oid = any(${names}) order by relname`,
      )
      return rows.map((row) => row.isForced)
    }
    for (const table of ['usage_delta', 'usage_version'] as const) await asOwner(distributing, (db) => forceRowSecurity(db, table, false))
    let forcing: Promise<void> = Promise.resolve()
    const as = { role: 'counterfoil_reseller', resellerId: seeded.resellerId } as const
    await context.store.transact(as, async (db) => {
      await sql`select from usage_delta limit 1`.execute(db)
      await expect(forceRowSecurityAgain(distributing, ['usage_delta'], 0)).rejects.toThrow(/begin it again\.\nusage_delta: /)
      forcing = forceRowSecurityAgain(distributing, ['usage_delta', 'usage_version'])
      await vi.waitFor(async () => expect(await isForced()).toEqual([false, true]), { timeout: 6_000 })
    })
    await forcing
    expect(await isForced()).toEqual([true, true])
  }, 60_000)

  test('[SCALE-02] what failed first is told when what it changed cannot be put back either', async () => {
    const failing = thenPutBack(
      () => Promise.reject(new Error('the move')),
      () => Promise.reject(new Error('its end')),
    )
    await expect(failing).rejects.toThrow('the move\nits end')
  })

  test('[SCALE-06] loads, corrections, undos, merging and the archive', async () => {
    const before = await answers()
    const imports = await loadAndCorrect(context, seeded, folder)
    for (const id of imports.toReversed())
      expect(await runCommand(context, 'import', 'undo', String(id), '--yes')).toMatchObject({ exit: 0 })
    await mergeUsage(context.store, new AbortController().signal)
    expect(await answers()).toEqual(before)
    const archived = await runCommand(context, 'usage', 'archive', '--before', '2026-07', '--out', folder, '--yes')
    expect(archived.exit, archived.err).toBe(0)
    expect(await findMiscounts(context, seeded.resellerId)).toEqual([])
  })
})
