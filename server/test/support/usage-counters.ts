import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { AppContext } from '../../src/context.ts'
import { usageCsv } from '../../src/imports/usage/usage-sample.data.ts'
import { runCommand } from './operator.ts'
import type { addUsage } from './usage.ts'

/** The days, kinds, months and cost centres whose counters differ from a plain sum over the records of a reseller. */
export const findMiscounts = (context: Pick<AppContext, 'store'>, resellerId: number): Promise<unknown[]> =>
  context.store.transact(
    { role: 'counterfoil_reseller', resellerId },
    async (db) => {
      // Else a month whose first load commits after PostgreSQL has planned the query is in the counters and not yet in the records, and one
      // that is dropped before the query has its lock is still in the counters of the snapshot.
      await sql`set transaction isolation level repeatable read`.execute(db)
      await sql`lock table usage_record in access share mode`.execute(db)
      // Each connection to a worker has a snapshot of its own.
      await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(db)
      const { rows } = await sql.raw(MISCOUNTS).execute(db)
      return rows
    },
    { pool: 'background' },
  )

const difference = (what: string, plain: string, counted: string): string =>
  `select '${what}' as what, to_jsonb(x)::text as row from ((${plain} except ${counted}) union all (${counted} except ${plain})) x`

const KIND = 'service_id, record_type_id, agreement_id'
const SUMS = 'sum(n)::bigint, sum(price), sum(units)'

/** A counter of no records holds no money either. */
const MISCOUNTS = `
  with plain as materialized (
    select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement_id,
      cost_centre, count(*) as n, sum(price) as price, sum(units) as units
    from usage_record group by 1, 2, 3, 4, 5, 6)
  ${difference(
    'kind',
    `select customer_id, day, ${KIND}, ${SUMS} from plain group by customer_id, day, ${KIND}`,
    `select customer_id, day, ${KIND}, records, price, units from usage_day_kind where records <> 0 or price <> 0 or units <> 0`,
  )}
  union all ${difference(
    'day',
    'select customer_id, day, sum(n)::bigint, sum(price) from plain group by 1, 2',
    'select customer_id, day, records, price from usage_day where records <> 0 or price <> 0',
  )}
  union all ${difference(
    'month',
    `select customer_id, date_trunc('month', day)::date as month, ${KIND}, ${SUMS} from plain group by customer_id, 2, ${KIND}`,
    `select customer_id, month, ${KIND}, records, price, units from usage_month_kind where records <> 0 or price <> 0 or units <> 0`,
  )}
  union all ${difference(
    'cost centre',
    "select customer_id, date_trunc('month', day)::date as month, cost_centre, sum(n)::bigint from plain where cost_centre <> '' group by 1, 2, 3",
    'select customer_id, month, cost_centre, records from usage_month_cost_centre where records <> 0',
  )}`

/**
 * Loads three records into the usage of `addUsage`, then a file that corrects two of them and adds one, and expects that all are counted.
 * @returns the imports' ids, in order
 */
export const loadAndCorrect = async (
  context: AppContext,
  { resellerId, customerId, kinds }: Awaited<ReturnType<typeof addUsage>>,
  folder: string,
): Promise<number[]> => {
  const record = { customer: String(customerId), service: '4G Data', recordType: kinds[0]?.description ?? '', date: '2026-08-05' }
  const files = [
    usageCsv(['a', 'b', 'c'].map((externalId) => ({ ...record, externalId }))),
    usageCsv(['b', 'c', 'd'].map((externalId) => ({ ...record, externalId, units: '9' }))),
  ]
  const imports: number[] = []
  for (const [at, file] of files.entries()) {
    const path = join(folder, `${at}.csv`)
    writeFileSync(path, file)
    const options = ['--reseller', String(resellerId), '--json', ...(at === 0 ? [] : ['--correct'])]
    const { out, err, exit } = await runCommand(context, 'import', 'usage', path, ...options)
    expect(exit, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject(at === 0 ? { imported: 3 } : { imported: 1, corrected: 2 })
    imports.push(JSON.parse(out).importId)
    expect(await findMiscounts(context, resellerId)).toEqual([])
  }
  return imports
}
