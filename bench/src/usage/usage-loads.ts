import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { postgresStore } from '../../../server/src/db/database.ts'
import { undoImport } from '../../../server/src/imports/undo/undo-import.service.ts'
import { mergeUsage } from '../../../server/src/usage-store/merge-usage.service.ts'
import { systemClock } from '../../../server/src/kit/clock.ts'
import { minFinding, type Finding, median } from '../harness/findings.ts'
import { runCounterfoil } from '../harness/running-server.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

const REPETITIONS = 3
const RESELLER = 2_204

/** Writes `rows` records of this month, derived from existing ones, as a CSV file for the import. */
const writeInputFile = async (client: pg.Client, file: string, rows: number, month: string): Promise<void> => {
  await client.query(`
    create temp table fresh as
    select r.*, row_number() over (order by usage_at) as n from (
      select customer_id, timestamptz '${month} 00:00+00' + random() * (now() - timestamptz '${month} 00:00+00') as usage_at,
        service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre
      from usage_record where customer_id >= 5000001 and usage_at >= timestamptz '${month} 00:00+00' - interval '24 months' limit ${rows}) r`)
  const statement = `copy (select 'bench-' || f.n as "externalId", f.customer_id as customer, to_char(f.usage_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as date,
      s.name as service, t.description as "recordType", a.name as agreement, i.service_item as "serviceItem", f.service_item2 as "serviceItem2",
      f.site, f.cost_centre as "costCentre", f.units, f.price
    from fresh f join service s on s.id = f.service_id join record_type t on t.id = f.record_type_id
      left join agreement a on a.customer_id = f.customer_id and a.id = f.agreement_id
      left join service_item i on i.customer_id = f.customer_id and i.id = f.service_item_id order by f.n) to stdout with (format csv, header)`
  await pipeline(client.query(copyTo(statement)), createWriteStream(file))
}

/**
 * The seconds of a COPY of the same file and one statement that resolves its names and inserts it into the same partitions, without any check
 * or counter; it is rolled back.
 */
const timeBareLoad = async (client: pg.Client, file: string, rows: number): Promise<number> => {
  await client.query('begin')
  const startedAt = performance.now()
  await client.query(`
    create temp table raw (external_id text, customer text, usage_at timestamptz, service text, type text, agreement text, item text,
      service_item2 text, site text, cost_centre text, units numeric, price numeric) on commit drop`)
  await pipeline(createReadStream(file), client.query(copyFrom('copy raw from stdin with (format csv, header)')))
  await client.query('analyze raw')
  const { rowCount } = await client.query(`
    insert into usage_record (reseller_id, customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre, external_id)
    select ${RESELLER}, c.id, r.usage_at, i.id, s.id, t.id, a.id, r.units, r.price, r.service_item2, r.site, r.cost_centre, r.external_id
    from raw r join customer c on c.reseller_id = ${RESELLER} and c.id::text = r.customer join service s on s.reseller_id = ${RESELLER} and s.name = r.service
      join record_type t on t.service_id = s.id and t.description = r.type left join agreement a on a.customer_id = c.id and a.name = r.agreement
      left join service_item i on i.customer_id = c.id and i.service_id = s.id and i.service_item = r.item`)
  const seconds = (performance.now() - startedAt) / 1_000
  await client.query('rollback')
  if (rowCount !== rows) throw new Error(`${rowCount} of ${rows} rows were resolved`)
  return seconds
}

/** Merges what was loaded into the counters, and takes it back. @returns the seconds of the merge */
const mergeAndUndo = async (client: pg.Client, databaseUrl: string): Promise<number> => {
  const store = postgresStore(databaseUrl, console.error)
  const { signal } = new AbortController()
  const startedAt = performance.now()
  await mergeUsage(store, signal)
  const seconds = (performance.now() - startedAt) / 1_000
  const { rows } = await client.query<{ id: string }>('select max(id) as id from import')
  await undoImport({ store, clock: systemClock }, Number(rows[0]?.id), async () => undefined)
  await mergeUsage(store, signal)
  await store.close()
  return seconds
}

/** Measures `counterfoil import usage`, with all its checks and exact counters, against a bare load of the same file, interleaved. */
export const measureLoads = async ({ settings }: BenchEnvironment, adminUrl: string, rows: number, today: string): Promise<Finding[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-load-'))
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const file = join(folder, 'usage.csv')
    await writeInputFile(client, file, rows, `${today.slice(0, 8)}01`)
    const ratios: number[] = []
    const loads: number[] = []
    const merges: number[] = []
    for (let round = 0; round < REPETITIONS; round += 1) {
      await client.query('checkpoint')
      const bareSeconds = await timeBareLoad(client, file, rows)
      await client.query('vacuum usage_record')
      await client.query('checkpoint')
      const startedAt = performance.now()
      await runCounterfoil(['import', 'usage', file, '--reseller', String(RESELLER), '--json'], settings)
      loads.push((performance.now() - startedAt) / 1_000)
      ratios.push(bareSeconds / (loads.at(-1) ?? 0))
      merges.push(await mergeAndUndo(client, settings['DATABASE_URL'] ?? ''))
      await client.query('vacuum usage_record')
    }
    const perSecond = Math.round(rows / median(loads)).toLocaleString('en')
    return [
      minFinding(
        'Loaded rows a second, with all checks and exact counters : COPY and resolving names, without them',
        median(ratios),
        0.5,
        '×',
        ` (${perSecond} a second, start-up included; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; merged afterwards in ${median(merges).toFixed(1)} s)`,
      ),
    ]
  } finally {
    await client.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
