import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { importUsage } from '../../../server/src/imports/usage/import-usage.service.ts'
import { embeddedStore, type Store } from '../../../server/src/kit/db.ts'
import { startEngine } from '../../../server/src/kit/embedded/engine.ts'
import { atLeast, atMost, type Finding, median, percentile } from '../harness/findings.ts'
import { client, closedLoop } from '../harness/http-load.ts'
import { runCounterfoil, type RunningServer, startServer } from '../harness/running-server.ts'
import { download } from '../usage/usage-downloads.ts'
import { seedThrough, type SeededUsage } from '../usage/usage-seed.ts'
import { signedIn } from '../harness/world.ts'

const PORT = 3_194
const LOADED = 20_000
const BATCH = 1_000
const ROUNDS = 3

/** The embedded database with so many records (EMBEDDED_ROWS, 500000 where it is missing): loads, pages, downloads. */
export const embeddedFindings = async (): Promise<Finding[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-embedded-'))
  const rows = Number(process.env['EMBEDDED_ROWS'] ?? '500000')
  const today = new Date().toISOString().slice(0, 10)
  try {
    await runCounterfoil(['seed-demo'], { DATA_DIR: dataDir })
    const store = embeddedStore(await startEngine({ folder: join(dataDir, 'database'), waitMs: 600_000 }), console.error)
    const seeded = await seededIn(store, rows, today)
    const loads = await loadFindings(store, today)
    await store.close()
    const server = await startServer(PORT, { DATA_DIR: dataDir })
    try {
      return [...loads, ...(await pageFindings(server, seeded, today))]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const seededIn = async (store: Store, rows: number, today: string): Promise<SeededUsage> => {
  const connection = await store.pools.background.connect()
  try {
    const begun = performance.now()
    const seeded = await seedThrough(connection, rows, today)
    console.log(`embedded: ${rows} records in ${Math.round((performance.now() - begun) / 1_000)} s; ${JSON.stringify(seeded)}`)
    return seeded
  } finally {
    connection.release()
  }
}

const COLUMNS =
  'customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre, external_id'

/** Lines of a file of usage, and the same as rows that are resolved already. */
interface Fresh {
  readonly csv: string
  readonly resolved: readonly (string | null)[][]
}

const line = (row: Record<string, string | null>): string =>
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

const freshRows = async (connection: pg.ClientBase, today: string, round: number): Promise<Fresh> => {
  const { rows } = await connection.query<Record<string, string | null>>(`
    select r.customer_id::text, to_char(timestamp '${today.slice(0, 8)}01' + random() * (timestamp '${today}' - timestamp '${today.slice(0, 8)}01'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as usage_at, r.service_item_id::text, r.service_id::text, r.record_type_id::text, r.agreement_id::text,
      r.units::text, r.price::text, r.service_item2, r.site, r.cost_centre, 'bench-${round}-' || row_number() over () as external_id,
      s.name as service, t.description as type, a.name as agreement, i.service_item as item
    from (select * from usage_record where customer_id >= 5000001 order by usage_at limit ${LOADED}) r
      join service s on s.id = r.service_id join record_type t on t.id = r.record_type_id
      join agreement a on a.customer_id = r.customer_id and a.id = r.agreement_id join service_item i on i.customer_id = r.customer_id and i.id = r.service_item_id`)
  const names = COLUMNS.split(', ')
  const head = 'externalId,customer,date,service,recordType,agreement,serviceItem,serviceItem2,site,costCentre,units,price'
  return { csv: [head, ...rows.map(line)].join('\n'), resolved: rows.map((row) => names.map((name) => row[name] ?? null)) }
}

/** Seconds of a bare batch insertion without counters, which is undone again; the embedded database has no COPY that streams. */
const bareInsertion = async (connection: pg.ClientBase, resolved: Fresh['resolved']): Promise<number> => {
  await connection.query('begin; alter table usage_record disable trigger all')
  const types = ['bigint', 'timestamptz', 'bigint', 'bigint', 'bigint', 'bigint', 'numeric', 'numeric', 'text', 'text', 'text', 'text']
  const values = types.map((type, at) => `$${at + 1}::text[]::${type}[]`).join(', ')
  const begun = performance.now()
  for (let from = 0; from < resolved.length; from += BATCH) {
    const rows = resolved.slice(from, from + BATCH)
    const columns = types.map((_, at) => rows.map((row) => row[at]))
    await connection.query(`insert into usage_record (${COLUMNS}) select * from unnest(${values})`, columns)
  }
  const seconds = (performance.now() - begun) / 1_000
  await connection.query('rollback')
  return seconds
}

const withConnection = async <T>(store: Store, work: (connection: pg.ClientBase) => Promise<T>): Promise<T> => {
  const connection = await store.pools.background.connect()
  try {
    return await work(connection)
  } finally {
    connection.release()
  }
}

const loadFindings = async (store: Store, today: string): Promise<Finding[]> => {
  const ratios: number[] = []
  let perSecond = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = await withConnection(store, (connection) => freshRows(connection, today, round))
    const bare = await withConnection(store, (connection) => bareInsertion(connection, fresh.resolved))
    const source = {
      bytes: null,
      open: async function* () {
        yield Buffer.from(fresh.csv)
      },
    }
    const loaded = await importUsage({ store }, source, { reseller: '2204', skipBad: false, progress: () => undefined })
    if (loaded.imported !== LOADED) throw new Error(`${loaded.imported} of ${LOADED} records were loaded`)
    ratios.push(bare / loaded.seconds)
    perSecond = loaded.rowsPerSecond
  }
  const note = ` (${perSecond.toLocaleString('en')} a second; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`
  return [atLeast('P11 Embedded: loaded rows a second, with checks and counters : bare batch insertion', median(ratios), 0.7, '×', note)]
}

const pageFindings = async (server: RunningServer, { biggest }: SeededUsage, today: string): Promise<Finding[]> => {
  const from = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`
  const headers = await signedIn(server.url, 'demo', biggest.id)
  const reader = client(server.url, 1)
  const page = (dateFrom: string) => ({ path: `/v1/ec/usage?dateFrom=${dateFrom}&dateTo=${today}`, headers })
  const month = page(`${today.slice(0, 8)}01`)
  await closedLoop(reader, month, { clients: 1, seconds: 3 })
  const monthly = await closedLoop(reader, month, { clients: 1, seconds: 5 })
  const long = await closedLoop(reader, page(from), { clients: 1, seconds: 5 })
  const running = { isOver: false }
  const whole = download({ server }, biggest.id, from, today).finally(() => (running.isOver = true))
  const busy: number[] = []
  while (!running.isOver) busy.push((await reader.send(month)).ms)
  const { grownMb, rows, seconds } = await whole
  reader.close()
  const rate = ` (${Math.round(rows / seconds).toLocaleString('en')} rows a second)`
  return [
    atMost('P11 Embedded: page of a month, p50', percentile(monthly.ms, 0.5), 6, 'ms'),
    atMost('P11 Embedded: page of 24 months, p50', percentile(long.ms, 0.5), 6, 'ms'),
    atMost('P11 Embedded: page p99 during a download', percentile(busy, 0.99), 50, 'ms'),
    atMost("P11 Embedded: the server's memory rises during a download by", grownMb, 64, 'MB', rate),
  ]
}
