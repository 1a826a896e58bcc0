import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addBrand, addCustomer, addReseller, insertRow } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { undoImport } from '../undo/undo-import.service.ts'
import { importUsage } from './import-usage.service.ts'
import { archiveMonths } from './usage-archive.service.ts'
import { type SampleRecord, usageCsv } from './usage-sample.data.ts'

let context: TestContext
let resellers: number[]

beforeAll(async () => {
  context = await testContext()
  resellers = [await addMarket(), await addMarket()]
})
afterAll(() => context.close())

/** A reseller with two customers and a service of two record types. */
const addMarket = async (): Promise<number> => {
  const id = await addReseller(context)
  const brand = await addBrand(context, id)
  for (const name of ['C1', 'C2']) await addCustomer(context, id, brand, { external_id: name })
  const service = await insertRow(context, id, 'service', { reseller_id: id, external_id: 'VOICE', name: 'Voice' })
  for (const type of ['National call', 'Roaming'])
    await insertRow(context, id, 'record_type', { reseller_id: id, service_id: service, description: type })
  return id
}

const load = async (resellerId: number, file: readonly SampleRecord[]): Promise<number | null> => {
  const bytes = Buffer.from(usageCsv(file))
  const source = {
    bytes: bytes.length,
    open: async function* () {
      yield bytes
    },
  }
  const options = { reseller: String(resellerId), skipBad: true, progress: () => undefined }
  return (await importUsage(context, source, options)).importId
}

/** An import whose records were archived is final. */
const undoUnlessFinal = (id: number) =>
  undoImport(context, id, async () => undefined).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || !error.message.includes('were archived')) throw error
  })

const record = fc.record({
  externalId: fc.integer({ min: 0, max: 30 }).map((n) => `cdr-${n}`),
  customer: fc.constantFrom('C1', 'C2'),
  date: fc.constantFrom('2026-08-31T23:59:59.999999Z', '2026-09-01', '2026-09-17', '2026-10-04', '2026-11-01'),
  recordType: fc.constantFrom('National call', 'Roaming'),
  costCentre: fc.constantFrom('', 'Fleet', 'Depot'),
  units: fc.constantFrom('1', '0.000000000000000001', '2.5'),
  price: fc.constantFrom('0.35', '-1.07', '0.000000000000000001', '12345678901234567890.5', '0'),
})
const file = fc.array(record, { minLength: 1, maxLength: 12 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('load' as const), files: fc.array(file, { minLength: 1, maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('archive' as const), before: fc.constantFrom('2026-09-01', '2026-10-01') }) },
)

test('[EASE-06] the counters are the exact sums of the records after any loads, side by side too, undone loads and dropped months', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const done: number[] = []
      for (const one of steps) {
        if (one.does === 'load') {
          const loads = one.files.map((lines, at) => load(resellers[at % resellers.length] ?? 0, lines))
          done.push(...(await Promise.all(loads)).filter((id) => id !== null))
        } else if (one.does === 'archive') {
          await archiveMonths(context.store, { before: one.before, folder: null }, async () => undefined)
        } else {
          const [id] = done.splice(one.which % Math.max(1, done.length), 1)
          if (id !== undefined) await undoUnlessFinal(id)
        }
        for (const id of resellers) expect(await findMiscounts(context, id), one.does).toEqual([])
      }
    }),
    // A load takes the embedded database about a second on a busy machine. What a run left behind would falsify smaller ones.
    { numRuns: inject('testDatabase').kind === 'embedded' ? 2 : 6, endOnFailure: true },
  )
})
