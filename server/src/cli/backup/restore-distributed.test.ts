import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openCitusDatabase } from '../../../test/databases/citus.ts'
import { type OperatorHome, operatorHomes } from '../../../test/support/cli-home.ts'
import { runJsonCommand } from '../../../test/support/operator.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import { listDistributed } from '../../distribution/distributed-tables.queries.ts'

const testDatabase = inject('testDatabase')
const [adminUrl, workerUrls] = testDatabase.kind === 'postgres' ? [testDatabase.adminUrl, testDatabase.workerUrls] : ['', []]

describe.skipIf(workerUrls.length === 0)('a backup of an installation whose usage is distributed', () => {
  const homes = operatorHomes()
  let home: OperatorHome
  beforeEach(async () => {
    home = await homes.next()
  })
  afterAll(() => homes.tearDown())

  /** Adds a reseller with three customers and some usage of each. */
  const addUsers = (): Promise<void> =>
    home.withContext(async (context) => {
      const files = {
        services: 'externalId,name\nS,Data\n',
        'record-types': 'externalId,service,description\nT,S,Data\n',
        usage: `externalId,customer,date,service,recordType,units,price\n${['C1', 'C2', 'C3'].map((customer) => `u${customer},${customer},2026-10-05,S,T,1.5,0.2\n`).join('')}`,
      }
      await runJsonCommand(context, 'reseller', 'add', 'First', '--currency', 'AUD')
      await runJsonCommand(context, 'brand', 'add', 'First', '--reseller', 'First')
      for (const name of ['C1', 'C2', 'C3'])
        await runJsonCommand(context, 'customer', 'add', name, '--brand', 'First', '--external-id', name)
      for (const [kind, text] of Object.entries(files)) {
        const path = join(home.folder, `${kind}.csv`)
        writeFileSync(path, text)
        await runJsonCommand(context, 'import', kind, path, '--reseller', 'First')
      }
    })

  /** The records, their counters and the distributed tables. */
  const state = (): Promise<{ usage: unknown; distributed: number }> =>
    home.withContext(async (context) => {
      const { resellers } = (await runJsonCommand(context, 'reseller', 'list')) as unknown as { resellers: { id: number }[] }
      const usage = await context.store.transact({ role: 'counterfoil_reseller', resellerId: resellers[0]?.id ?? 0 }, async (db) => [
        await sql`select customer_id, external_id, price::text from usage_record order by 1`.execute(db).then(({ rows }) => rows),
        await sql`select customer_id, records, price::text from usage_day order by 1`.execute(db).then(({ rows }) => rows),
      ])
      return { usage, distributed: (await context.store.transact({ role: 'owner' }, listDistributed)).size }
    })

  const run = async (...words: string[]): Promise<string> => {
    const { exit, out, err } = await home.run(words)
    expect([words, exit, err]).toEqual([words, 0, ''])
    return out
  }

  test('[SCALE-06] takes its place, on one server, and distribute spreads the usage again', async () => {
    await home.createDatabase()
    await addUsers()
    const before = await state()
    expect(before.distributed).toBe(8)
    const file = join(home.folder, 'house.backup')
    await run('backup', file)
    await home.withContext((context) => runJsonCommand(context, 'reseller', 'add', 'Second', '--currency', 'AUD'))

    expect(await run('restore', file, '--yes')).toContain('run counterfoil distribute to spread it')
    expect(await state()).toEqual({ usage: before.usage, distributed: 0 })
    expect(await run('distribute', '--yes')).toContain('Usage is distributed')
    expect(await state()).toEqual(before)
    expect(await run('reseller', 'list')).not.toContain('Second')
  })

  test('[SCALE-06] is restored into a new installation with Citus', async () => {
    await home.createDatabase()
    await addUsers()
    const before = await state()
    const file = join(home.folder, 'house.backup')
    await run('backup', file)

    const other = await openCitusDatabase(adminUrl, `counterfoil_restored_${process.pid}`)
    try {
      home.env['DATABASE_URL'] = other.url
      expect(JSON.parse(await run('restore', file, '--json'))).toMatchObject({ wasDistributed: true, keyFits: true })
      expect(await state()).toEqual({ usage: before.usage, distributed: 0 })
      await run('distribute', '--yes')
      expect(await state()).toEqual(before)
    } finally {
      await other.drop()
    }
  })

  test('[SCALE-06] made while usage is loaded holds whole loads, each with its note and its counters', async () => {
    await home.createDatabase()
    await addUsers()
    await run('backup', join(home.folder, 'first.backup')) // opens the new month for backups
    const files = [1, 2, 3].map((n) => join(home.folder, `busy-${n}.backup`))
    await home.withContext(async (context) => {
      const over = new AbortController()
      let loads = 0
      const loading = (async () => {
        while (!over.signal.aborted) {
          loads += 1
          const path = join(home.folder, `load-${loads}.csv`)
          const lines = Array.from({ length: 60 }, (_, at) => `l${loads}-${at},C${(at % 3) + 1},2026-10-0${(at % 9) + 1},S,T,1,0.1\n`)
          writeFileSync(path, `externalId,customer,date,service,recordType,units,price\n${lines.join('')}`)
          await runJsonCommand(context, 'import', 'usage', path, '--reseller', 'First')
        }
      })()
      try {
        for (const file of files) expect(await home.spawn(['backup', file])).toMatchObject({ exit: 0, err: '' })
      } finally {
        over.abort()
        await loading
      }
      expect(loads).toBeGreaterThan(3)
    })
    for (const file of files) {
      await home.useEmptyDatabase(home.env['DATA_DIR'] ?? '')
      await run('restore', file)
      await home.withContext(async (context) => {
        const { resellers } = (await runJsonCommand(context, 'reseller', 'list')) as unknown as { resellers: { id: number }[] }
        const resellerId = resellers[0]?.id ?? 0
        const { rows } = await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
          sql<{ records: number; noted: number }>`
            select (select count(*) from usage_record)::int as records, (select sum(usage_records) from import where kind = 'usage')::int as noted`.execute(
            db,
          ),
        )
        expect(rows[0]?.records).toBe(rows[0]?.noted)
        expect(await findMiscounts(context, resellerId)).toEqual([])
      })
    }
  }, 300_000)
})
