import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addBrand, addCustomer, addReseller, insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { findMiscounts } from '../../../test/support/usage-counters.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { undoImport } from '../undo/undo-import.service.ts'
import { importUsage } from './import-usage.service.ts'
import { mergeDeltas } from '../../usage-store/merge-usage.queries.ts'
import { mergeUsage } from '../../usage-store/merge-usage.service.ts'
import { archiveMonths } from './usage-archive.service.ts'
import { type SampleRecord, usageCsv } from './usage-sample.data.ts'

const database = inject('testDatabase')
/** On the embedded database and on Citus a load takes about a second on a busy machine. */
const isSlow = database.kind === 'embedded' || database.workerUrls.length > 0

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
  const options = { reseller: String(resellerId), skipBad: true, correct: true, progress: () => undefined }
  return (await importUsage(context, source, options)).importId
}

/** An import whose records were archived is final; one whose records were corrected waits for the undo of the correction. */
const undoUnlessFinal = (id: number) =>
  undoImport(context, id, async () => undefined).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || !/were archived|corrected usage records of it/.test(error.message)) throw error
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
const file: fc.Arbitrary<SampleRecord[]> = fc.array(record, { minLength: 1, maxLength: 12 })
/** Every kind of step with deltas that wait, that are half merged, and that are merged. */
const EXAMPLE: SampleRecord[] = ['2026-08-31T23:59:59.999999Z', '2026-09-17', '2026-10-04', '2026-11-01'].map((date, at) => ({
  externalId: `example-${at}`,
  customer: at % 2 === 0 ? 'C1' : 'C2',
  date,
  recordType: 'Roaming',
  costCentre: 'Fleet',
  units: '2.5',
  price: '0.35',
}))
const EXAMPLES: readonly Step[][] = [0, 1, Number.POSITIVE_INFINITY].map((merged) => [
  { does: 'load', files: [EXAMPLE, EXAMPLE], merged },
  { does: 'undo', which: 1, merged },
  { does: 'archive', before: '2026-10-01', merged },
])

/** How many deltas of each reseller are merged: none of them, some, or all, by two at once. */
const merged = fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY)
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('load' as const), files: fc.array(file, { minLength: 1, maxLength: 2 }), merged }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('undo' as const), which: fc.nat(), merged }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('archive' as const), before: fc.constantFrom('2026-09-01', '2026-10-01'), merged }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const merge = async (deltas: number): Promise<void> => {
  if (deltas === Number.POSITIVE_INFINITY) {
    const { signal } = new AbortController()
    await Promise.all([mergeUsage(context.store, signal), mergeUsage(context.store, signal)])
  } else if (deltas > 0)
    for (const resellerId of resellers)
      await context.store.transact({ role: 'counterfoil_loader', resellerId }, (db) => mergeDeltas(db, resellerId, deltas))
}

const expectExactCounters = async (after: string): Promise<void> => {
  for (const id of resellers) expect(await findMiscounts(context, id), after).toEqual([])
}

/** Does a step. @returns the imports that may be undone after it */
const take = async (one: Step, done: readonly number[]): Promise<number[]> => {
  if (one.does === 'load') {
    const loads = await Promise.all(one.files.map((lines, at) => load(resellers[at % resellers.length] ?? 0, lines)))
    return [...done, ...loads.filter((id) => id !== null)]
  }
  if (one.does === 'archive') {
    await archiveMonths(context.store, { before: one.before, folder: null }, async () => undefined)
    return [...done]
  }
  const undone = done[one.which % Math.max(1, done.length)]
  if (undone !== undefined) await undoUnlessFinal(undone)
  return done.filter((id) => id !== undone)
}

const COUNTERS = ['usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_month_cost_centre']
const countWaitingAndEmpty = (): Promise<unknown[]> =>
  queryAsAdministrator(
    context,
    `select 'delta' as what from usage_delta ${COUNTERS.map((name) => `union all select '${name}' from ${name}_merged where records = 0`).join(' ')}`,
  )

test('[EASE-06] the counters are the exact sums of the records at every instant: after any loads and corrections, side by side too, undone loads and dropped months, and while what they added is merged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      let done: number[] = []
      for (const one of steps) {
        const [next] = await Promise.all([take(one, done), merge(one.merged), expectExactCounters(`during ${one.does}`)])
        done = next
        await expectExactCounters(one.does)
        await Promise.all([merge(one.merged), expectExactCounters('during a merge')])
        await expectExactCounters('a merge')
      }
      await merge(Number.POSITIVE_INFINITY)
      await expectExactCounters('the last merge')
      expect(await countWaitingAndEmpty()).toEqual([])
    }),
    // What a run left behind would falsify smaller ones.
    { numRuns: isSlow ? 5 : 9, examples: EXAMPLES.map((steps) => [steps]), endOnFailure: true },
  )
}, 300_000)
