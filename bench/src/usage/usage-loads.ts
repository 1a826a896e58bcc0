import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { minFinding, type Finding, median } from '../harness/findings.ts'
import { runCounterfoil } from '../harness/running-server.ts'
import type { BenchWorld } from '../harness/world.ts'

const REPETITIONS = 3
const COLUMNS =
  'customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre, external_id'

/** Writes `rows` records of this month, derived from existing ones, as a CSV file for the import and as resolved rows for COPY. */
const writeInputFiles = async (
  client: pg.Client,
  folder: string,
  rows: number,
  month: string,
): Promise<{ resolved: string; raw: string }> => {
  await client.query(`
    create temp table fresh as
    select r.*, row_number() over (order by usage_at) as n from (
      select customer_id, timestamptz '${month} 00:00+00' + random() * (now() - timestamptz '${month} 00:00+00') as usage_at,
        service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre
      from usage_record where customer_id >= 5000001 and usage_at >= timestamptz '${month} 00:00+00' - interval '24 months' limit ${rows}) r`)
  const resolved = join(folder, 'resolved.tsv')
  const raw = join(folder, 'usage.csv')
  const copyToFile = (statement: string, file: string) => pipeline(client.query(copyTo(statement)), createWriteStream(file))
  await copyToFile(`copy (select ${COLUMNS.replace('external_id', "'bench-' || n")} from fresh order by n) to stdout`, resolved)
  await copyToFile(
    `copy (select 'bench-' || f.n as "externalId", f.customer_id as customer, to_char(f.usage_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as date,
      s.name as service, t.description as "recordType", a.name as agreement, i.service_item as "serviceItem", f.service_item2 as "serviceItem2",
      f.site, f.cost_centre as "costCentre", f.units, f.price
    from fresh f join service s on s.id = f.service_id join record_type t on t.id = f.record_type_id
      left join agreement a on a.customer_id = f.customer_id and a.id = f.agreement_id
      left join service_item i on i.customer_id = f.customer_id and i.id = f.service_item_id order by f.n) to stdout with (format csv, header)`,
    raw,
  )
  return { resolved, raw }
}

/** The seconds of a bare COPY of resolved rows into the same partitions, without counters; it is rolled back. */
const timeBareCopy = async (client: pg.Client, file: string): Promise<number> => {
  await client.query('begin; alter table usage_record disable trigger all')
  const startedAt = performance.now()
  await pipeline(createReadStream(file), client.query(copyFrom(`copy usage_record (${COLUMNS}) from stdin`)))
  const seconds = (performance.now() - startedAt) / 1_000
  await client.query('rollback')
  return seconds
}

/** Measures `counterfoil import usage`, with all its checks and counters, against a bare COPY of resolved rows, interleaved. */
export const measureLoads = async ({ settings }: BenchWorld, adminUrl: string, rows: number, today: string): Promise<Finding[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-load-'))
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { resolved, raw } = await writeInputFiles(client, folder, rows, `${today.slice(0, 8)}01`)
    const ratios: number[] = []
    let perSecond = 0
    for (let round = 0; round < REPETITIONS; round += 1) {
      await client.query('checkpoint')
      const bareSeconds = await timeBareCopy(client, resolved)
      await client.query('checkpoint')
      const startedAt = performance.now()
      await runCounterfoil(['import', 'usage', raw, '--reseller', '2204', '--json'], settings)
      const importSeconds = (performance.now() - startedAt) / 1_000
      ratios.push(bareSeconds / importSeconds)
      perSecond = rows / importSeconds
      await client.query(
        "delete from usage_record where external_id like 'bench-%' and usage_at >= date_trunc('month', now()) - interval '1 day'",
      )
      await client.query('vacuum usage_record')
    }
    return [
      minFinding(
        'Loaded rows a second, with all checks and counters : bare COPY of resolved rows',
        median(ratios),
        0.7,
        '×',
        ` (${Math.round(perSecond).toLocaleString('en')} a second, start-up included; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
      ),
    ]
  } finally {
    await client.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
