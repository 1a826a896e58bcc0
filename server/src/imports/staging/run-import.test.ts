import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addReseller, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { focusCsv } from '../focus/focus-sample.data.ts'
import { importFocus } from '../focus/import-focus.service.ts'
import { importRecords } from '../records/import-records.service.ts'
import { IMPORT_KINDS } from '../records/kinds.data.ts'
import { importUsage } from '../usage/import-usage.service.ts'
import { usageCsv } from '../usage/usage-sample.data.ts'
import type { ImportFile } from './run-import.ts'

let context: TestContext
let reseller: string

beforeAll(async () => {
  context = await testContext()
  reseller = String(await addReseller(context))
})
afterAll(() => context.close())

const queryAsOwner = (query: string): Promise<unknown[]> =>
  context.store.transact({ role: 'owner' }, async (db) => (await sql.raw(query).execute(db)).rows)

/** The rows of staging tables, and the tables of loads of usage. */
const findStaged = (): Promise<unknown[]> =>
  queryAsOwner(`
    select import_id::text as staged from focus_row union all select import_id::text from record_import_row
    union all select id::text from import_staging union all select relname::text from pg_class where relkind = 'r' and relname like 'usage\\_load\\_%'`)

/** A file during whose reading another import takes the reader for dead. */
const slowFile = (text: string): ImportFile => ({
  bytes: text.length,
  async *open() {
    yield Buffer.from(text)
    await queryAsOwner('select close_import_staging(id) from import_staging')
  },
})

const options = () => ({ reseller, skipBad: false, progress: () => undefined })
const findKind = (wanted: string) => IMPORT_KINDS.find(({ name }) => name === wanted) ?? expect.fail()

const IMPORTS: [string, () => Promise<unknown>][] = [
  [
    'records',
    () =>
      importRecords(context, findKind('services'), slowFile('externalId,name\nS1,Voice\n'), {
        ...options(),
        brand: undefined,
        files: undefined,
      }),
  ],
  ['FOCUS', () => importFocus(context, [slowFile(focusCsv([{}]))], { ...options(), brand: 'Larch', create: true })],
]

test.each(IMPORTS)('[OPS-03] an import of %s that another took for dead stores nothing and says why', async (_what, importFile) => {
  await expect(importFile()).rejects.toThrow(
    'Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.',
  )
  expect(await findStaged()).toEqual([])
  expect(await queryAsAdministrator(context, 'select from service union all select from customer union all select from import')).toEqual([])
})

test('[OPS-03] what dead imports of every kind have staged goes with the next import', async () => {
  await queryAsOwner(`
    select open_import_staging(id), create_usage_staging(id) from (select gen_random_uuid() as id) dead`)
  await queryAsOwner(`insert into record_import_row (import_id, line, v) select id, 2, '{}' from import_staging`)
  await queryAsOwner(`
    insert into focus_row (import_id, line, key, customer, service, record_type, category, used_at, starts_on, ends_on, units, price)
    select id, 2, 'k', '501', 's', '[]', 'Usage', now(), '2024-09-01', '2024-09-30', 1, 99 from import_staging`)
  await queryAsOwner(`update import_staging set alive_at = now() - interval '361 minutes'`)
  expect(await findStaged()).toHaveLength(6)
  await expect(
    importUsage(
      context,
      {
        bytes: null,
        open: async function* () {
          yield Buffer.from(usageCsv([]))
        },
      },
      options(),
    ),
  ).rejects.toThrow('The file holds no rows')
  expect(await findStaged()).toEqual([])
})
