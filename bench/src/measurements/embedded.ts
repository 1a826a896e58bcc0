import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { importUsage } from '../../../server/src/imports/usage/import-usage.service.ts'
import { mergeUsage } from '../../../server/src/usage-store/merge-usage.service.ts'
import { embeddedStore, type Store } from '../../../server/src/db/database.ts'
import { startEngine } from '../../../server/src/db/embedded/engine.ts'
import { systemClock } from '../../../server/src/kit/clock.ts'
import { minFinding, maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import { runCounterfoil, type RunningServer, startServer } from '../harness/running-server.ts'
import { busyMemory } from './memory.ts'
import { runDownload } from '../usage/usage-downloads.ts'
import { seedConnection, type SeededUsage } from '../usage/usage-seed.ts'
import { signInHeaders } from '../harness/environment.ts'

const SERVER_PORT = 3_194
/** Twice what a server on PostgreSQL may take: the database and its cache live in the same process. */
const EMBEDDED_LIMIT_MB = 941
const LOAD_ROWS = 20_000
const BATCH_ROWS = 1_000
const REPETITIONS = 5

/** Measures loads, pages and downloads on the embedded database with EMBEDDED_ROWS usage records (default 500000). */
export const measureEmbedded = async (): Promise<Finding[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-embedded-'))
  const rows = Number(process.env['EMBEDDED_ROWS'] ?? '500000')
  const today = new Date().toISOString().slice(0, 10)
  try {
    await runCounterfoil(['seed-demo'], { DATA_DIR: dataDir })
    const store = embeddedStore(await startEngine({ folder: join(dataDir, 'database'), waitMs: 600_000 }), console.error)
    const seeded = await seedStore(store, rows, today)
    const loads = await measureLoads(store, today)
    // Else the server would merge what the loads have left while its pages are measured.
    await mergeUsage(store, new AbortController().signal)
    await store.close()
    const server = await startServer(SERVER_PORT, { DATA_DIR: dataDir })
    try {
      return [
        ...loads,
        ...(await measurePages(server, seeded, today)),
        await busyMemory(server, 'the embedded database', EMBEDDED_LIMIT_MB),
      ]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const seedStore = async (store: Store, rows: number, today: string): Promise<SeededUsage> => {
  const connection = await store.pools.background.connect()
  try {
    const startedAt = performance.now()
    const seeded = await seedConnection(connection, rows, today)
    console.log(`embedded: ${rows} records in ${Math.round((performance.now() - startedAt) / 1_000)} s; ${JSON.stringify(seeded)}`)
    return seeded
  } finally {
    connection.release()
  }
}

const COLUMNS =
  'customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre, external_id'

/** A CSV file of usage, and the same records with resolved ids. */
interface LoadInput {
  readonly csv: string
  readonly resolved: readonly (string | null)[][]
}

const toCsvLine = (row: Record<string, string | null>): string =>
  [
    'external_id',
    'customer_id',
    'usage_at',
    'service',
    'type',
    'agreement',
    'item',
    'service_item2',
    'site',
    'cost_centre',
    'units',
    'price',
  ]
    .map((name) => row[name])
    .join(',')

const createLoadInput = async (connection: pg.ClientBase, today: string, round: number): Promise<LoadInput> => {
  const { rows } = await connection.query<Record<string, string | null>>(`
    select r.customer_id::text, to_char(timestamp '${today.slice(0, 8)}01' + random() * (timestamp '${today}' - timestamp '${today.slice(0, 8)}01'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as usage_at, r.service_item_id::text, r.service_id::text, r.record_type_id::text, r.agreement_id::text,
      r.units::text, r.price::text, r.service_item2, r.site, r.cost_centre, 'bench-${round}-' || row_number() over () as external_id,
      s.name as service, t.description as type, a.name as agreement, i.service_item as item
    from (select * from usage_record where customer_id >= 5000001 order by usage_at limit ${LOAD_ROWS}) r
      join service s on s.id = r.service_id join record_type t on t.id = r.record_type_id
      join agreement a on a.customer_id = r.customer_id and a.id = r.agreement_id join service_item i on i.customer_id = r.customer_id and i.id = r.service_item_id`)
  const names = COLUMNS.split(', ')
  const head = 'externalId,customer,date,service,recordType,agreement,serviceItem,serviceItem2,site,costCentre,units,price'
  return { csv: [head, ...rows.map(toCsvLine)].join('\n'), resolved: rows.map((row) => names.map((name) => row[name] ?? null)) }
}

/** The seconds of bare batch inserts without counters, which are rolled back. The embedded database has no streaming COPY. */
const timeBareInsert = async (connection: pg.ClientBase, resolved: LoadInput['resolved']): Promise<number> => {
  await connection.query('begin')
  const types = ['bigint', 'timestamptz', 'bigint', 'bigint', 'bigint', 'bigint', 'numeric', 'numeric', 'text', 'text', 'text', 'text']
  const values = types.map((type, at) => `$${at + 1}::text[]::${type}[]`).join(', ')
  const startedAt = performance.now()
  for (let from = 0; from < resolved.length; from += BATCH_ROWS) {
    const rows = resolved.slice(from, from + BATCH_ROWS)
    const columns = types.map((_, at) => rows.map((row) => row[at]))
    await connection.query(`insert into usage_record (reseller_id, ${COLUMNS}) select 2204, * from unnest(${values})`, columns)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  await connection.query('rollback')
  return seconds
}

const withConnection = async <T>(store: Store, action: (connection: pg.ClientBase) => Promise<T>): Promise<T> => {
  const connection = await store.pools.background.connect()
  try {
    return await action(connection)
  } finally {
    connection.release()
  }
}

const measureLoads = async (store: Store, today: string): Promise<Finding[]> => {
  const ratios: number[] = []
  let perSecond = 0
  for (let round = 0; round < REPETITIONS; round += 1) {
    const input = await withConnection(store, (connection) => createLoadInput(connection, today, round))
    const bareSeconds = await withConnection(store, (connection) => timeBareInsert(connection, input.resolved))
    const source = {
      bytes: null,
      open: async function* () {
        yield Buffer.from(input.csv)
      },
    }
    const loaded = await importUsage({ store, clock: systemClock }, source, { reseller: '2204', skipBad: false, progress: () => undefined })
    if (loaded.imported !== LOAD_ROWS) throw new Error(`${loaded.imported} of ${LOAD_ROWS} records were loaded`)
    ratios.push(bareSeconds / loaded.seconds)
    perSecond = loaded.rowsPerSecond
  }
  const note = ` (${perSecond.toLocaleString('en')} a second; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`
  return [minFinding('Embedded: loaded rows a second, with checks and counters : bare batch insertion', median(ratios), 0.5, '×', note)]
}

const measurePages = async (server: RunningServer, { biggest }: SeededUsage, today: string): Promise<Finding[]> => {
  const from = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`
  const headers = await signInHeaders(server.url, 'demo', biggest.id)
  const client = openClient(server.url, 1)
  const pageCall = (dateFrom: string) => ({ path: `/v1/ec/usage?dateFrom=${dateFrom}&dateTo=${today}`, headers })
  const month = pageCall(`${today.slice(0, 8)}01`)
  await runClosedLoop(client, month, { clients: 1, seconds: 3 })
  const monthly = await runClosedLoop(client, month, { clients: 1, seconds: 5 })
  const long = await runClosedLoop(client, pageCall(from), { clients: 1, seconds: 5 })
  const running = { isOver: false }
  const downloading = runDownload({ server }, biggest.id, from, today).finally(() => (running.isOver = true))
  const busyMs: number[] = []
  while (!running.isOver) busyMs.push((await client.send(month)).ms)
  const { grownMb, rows, seconds } = await downloading
  client.close()
  const rate = ` (${Math.round(rows / seconds).toLocaleString('en')} rows a second)`
  return [
    maxFinding('Embedded: page of a month, p50', percentile(monthly.ms, 0.5), 4, 'ms'),
    maxFinding('Embedded: page of 24 months, p50', percentile(long.ms, 0.5), 6, 'ms'),
    maxFinding('Embedded: page p99 during a download', percentile(busyMs, 0.99), 50, 'ms'),
    maxFinding("Embedded: the server's memory rises during a download by", grownMb, 64, 'MB', rate),
  ]
}
