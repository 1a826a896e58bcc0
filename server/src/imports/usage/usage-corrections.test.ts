import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addBrand, addCustomer, addReseller, insertRow } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import type { UsageImport } from './import-usage.service.ts'
import { mergeUsage } from '../../usage-store/merge-usage.service.ts'
import { type SampleRecord, usageCsv } from './usage-sample.data.ts'

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-corrections-'))
let context: TestContext
let reseller: number

beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  reseller = await addReseller(context)
  const brand = await addBrand(context, reseller)
  for (const external_id of ['C1', 'C2']) await addCustomer(context, reseller, brand, { external_id })
  const service = await insertRow(context, reseller, 'service', { reseller_id: reseller, external_id: 'VOICE', name: 'Voice' })
  for (const description of ['National call', 'Roaming'])
    await insertRow(context, reseller, 'record_type', { reseller_id: reseller, service_id: service, external_id: null, description })
})

const words = (records: readonly SampleRecord[], ...more: string[]): string[] => {
  const path = join(folder, 'usage.csv')
  writeFileSync(path, usageCsv(records))
  return ['import', 'usage', path, '--reseller', String(reseller), ...more]
}
const load = (records: readonly SampleRecord[], ...more: string[]): Promise<UsageImport> =>
  runJsonCommand<UsageImport>(context, ...words(records, ...more))
const undo = (id: number | null) => runCommand(context, 'import', 'undo', String(id), '--yes')

/** All records with their ids, and what the counters say. */
const listRecords = async (): Promise<Record<string, unknown>[]> => {
  expect(await findMiscounts(context, reseller)).toEqual([])
  return context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller }, async (db) => {
    const query = sql<Record<string, unknown>>`select to_jsonb(u) as record from usage_record u order by external_id, customer_id, usage_at`
    return (await query.execute(db)).rows
  })
}
const values = async (): Promise<string[]> =>
  (await listRecords()).map(({ record }) => {
    const { external_id: id, units, price } = record as { external_id: string; units: number; price: number }
    return `${id} ${units} ${price}`
  })

const FIRST: readonly SampleRecord[] = [
  { externalId: 'a', units: '1', price: '0.1' },
  { externalId: 'b', units: '2', price: '0.2', costCentre: 'Fleet' },
  { externalId: 'c', units: '3', price: '0.3', date: '2026-11-05T08:30:00.123456Z' },
  { externalId: 'c', customer: 'C2', units: '4', price: '0.4' },
]
/** Other values for two of them, one as before in another spelling, and one that is new. */
const SECOND: readonly SampleRecord[] = [
  { externalId: 'a', units: '1.0', price: '0.10' },
  { externalId: 'b', units: '2.5', price: '-0.2', costCentre: 'Fleet' },
  { externalId: 'c', units: '3', price: '0.3', date: '2026-11-05T08:30:00.123456Z', recordType: 'Roaming', site: 'Perth' },
  { externalId: 'd', units: '9', price: '0.9' },
]

test('[OPS-03] a record that comes again with other values is refused, listed with what differs, and nothing is imported', async () => {
  await load(FIRST)
  const before = await listRecords()
  const { exit, err } = await runCommand(context, ...words(SECOND))
  expect([exit, err]).toEqual([
    1,
    [
      'line 3: externalId: it is repeated with other values: units 2 → 2.5, price 0.2 → -0.2',
      'line 4: externalId: it is repeated with other values: recordType, site',
      '2 rows are repeated with other values; --correct takes them in the place of the stored ones.',
      '2 bad rows in the file; nothing was imported. --skip-bad imports the others.',
    ].join('\n'),
  ])
  expect(await listRecords()).toEqual(before)
  const refused = await runCommand(
    context,
    ...words([...SECOND, { externalId: 'e', units: 'x' }, { externalId: 'f', customer: 'C9' }]),
    '--json',
  )
  expect(JSON.parse(refused.out)).toMatchObject({ rows: 6, rejected: 4, repeatedWithOtherValues: 2, imported: 0 })
  expect(await listRecords()).toEqual(before)
})

test('[OPS-03] --skip-bad imports the rows beside those with other values, which stand in the file of rejects in order', async () => {
  await load(FIRST)
  const rejects = join(folder, 'rejects.csv')
  const rows = [...SECOND, { externalId: 'e', units: 'x' }]
  const { out, err } = await runCommand(context, ...words(rows, '--skip-bad', '--rejects', rejects))
  expect(out).toContain('5 rows read: 1 imported, 1 repeated, 3 rejected.')
  expect(err).toContain('2 rows are repeated with other values; --correct takes them')
  expect(readFileSync(rejects, 'utf8').match(/^\d+/gm)).toEqual(['3', '4', '6'])
  expect(await values()).toEqual(['a 1 0.1', 'b 2 0.2', 'c 3 0.3', 'c 4 0.4', 'd 9 0.9'])
})

test('[OPS-03] [EASE-06] --correct puts rows with other values in the place of the records, under new ids; counters follow, and undo restores', async () => {
  const first = await load(FIRST)
  const before = await listRecords()
  await mergeUsage(context.store, AbortSignal.timeout(60_000)) // the counters are merged, the corrections are not
  const second = await load(SECOND, '--correct')
  expect(second).toMatchObject({ rows: 4, imported: 1, corrected: 2, repeated: 1, rejected: 0, repeatedWithOtherValues: 0 })
  expect(await values()).toEqual(['a 1 0.1', 'b 2.5 -0.2', 'c 3 0.3', 'c 4 0.4', 'd 9 0.9'])
  const ids = (rows: Record<string, unknown>[]): number[] => rows.map(({ record }) => (record as { id: number }).id)
  const corrected = await listRecords()
  expect(ids(corrected).filter((id) => ids(before).includes(id))).toHaveLength(2)
  expect(await load(SECOND, '--correct')).toMatchObject({ corrected: 0, repeated: 4, importId: null })
  expect(await load(SECOND)).toMatchObject({ corrected: 0, repeated: 4, importId: null })

  const third = await load([{ externalId: 'b', units: '7', price: '7', costCentre: 'Vans' }], '--correct')
  expect((await undo(first.importId)).err).toBe(
    `Nothing was undone: import ${second.importId} corrected usage records of it; undo that first.`,
  )
  expect((await undo(second.importId)).err).toBe(
    `Nothing was undone: import ${third.importId} corrected usage records of it; undo that first.`,
  )
  expect((await undo(third.importId)).exit).toBe(0)
  expect(await listRecords()).toEqual(corrected)
  expect((await undo(second.importId)).exit).toBe(0)
  expect(await listRecords()).toEqual(before)
  expect((await undo(first.importId)).exit).toBe(0)
  expect(await listRecords()).toEqual([])
})

test('[OPS-03] --correct does not decide between two rows of one file, and takes nothing of a file with other bad rows', async () => {
  await load(FIRST)
  const before = await listRecords()
  const two = [
    { externalId: 'a', units: '5' },
    { externalId: 'a', units: '6' },
  ]
  expect((await runCommand(context, ...words(two, '--correct'))).err).toContain(
    'line 3: externalId: line 2 has the same one and says something else',
  )
  expect((await runCommand(context, ...words([...SECOND, { externalId: 'e', units: 'x' }], '--correct'))).exit).toBe(1)
  expect(await listRecords()).toEqual(before)
})

test('[OPS-03] of two rows of one file with other values --correct --skip-bad takes the first, and names the second with both lines', async () => {
  await load(FIRST)
  const rejects = join(folder, 'contradiction.csv')
  const rows = [
    { externalId: 'b', units: '5', price: '0.5' },
    { externalId: 'b', units: '6', price: '0.6' },
    { externalId: 'b', units: '5', price: '0.5' },
  ]
  const { exit, out, err } = await runCommand(context, ...words(rows, '--correct', '--skip-bad', '--rejects', rejects))
  expect([exit, err]).toEqual([0, 'line 3: externalId: line 2 has the same one and says something else'])
  expect(out).toContain('3 rows read: 0 imported, 1 corrected, 1 repeated, 1 rejected.')
  expect(readFileSync(rejects, 'utf8')).toBe('line,reason\n3,externalId: line 2 has the same one and says something else\n')
  expect(await values()).toEqual(['a 1 0.1', 'b 5 0.5', 'c 3 0.3', 'c 4 0.4'])
})
