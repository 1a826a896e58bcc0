import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openCitusDatabase } from '../../../server/test/databases/citus.ts'
import { signInPeople } from '../harness/environment.ts'
import { type Finding, maxFinding } from '../harness/findings.ts'
import { openClient } from '../harness/http-load.ts'
import { processorSeconds } from '../harness/processor-time.ts'
import { runCounterfoil, type RunningServer, startServer } from '../harness/running-server.ts'

const PORT = Number(process.env['BENCH_PORT'] ?? '3190')
const CUSTOMER = 220_401
const RESELLER = '2204'
const ROUNDS = 3
const CALLS = 2_000
const CLIENTS = 16
const RECORDS = 50_000
/** Above it, reading at the worker that has the customer is to be tried. */
const MAX_COST = 2

/** The processes whose processor time a request costs, by their names. */
type Processes = Readonly<Record<string, number>>
type Costs = Readonly<Record<string, number>>

interface Installation {
  readonly name: 'plain' | 'Citus'
  readonly settings: Record<string, string>
  readonly server: RunningServer
  /** The database's URL for a superuser. */
  readonly adminUrl: string
  readonly processes: Processes
  /** A service and a record type of it, as they stand in a line of a file. */
  readonly kind: string
}

/**
 * What requests and loads cost in processor time of each node, on one server and on Citus, in turn. TEST_CITUS_URL names the coordinator,
 * whose nodes all run on this machine. Not run unless named.
 */
export const measureCitus = async (): Promise<Finding[]> => {
  const adminUrl = process.env['TEST_CITUS_URL']
  if (adminUrl === undefined) throw new Error('TEST_CITUS_URL names no coordinator')
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-citus-'))
  const databases = [
    await openCitusDatabase(adminUrl, 'counterfoil_bench_plain'),
    await openCitusDatabase(adminUrl, 'counterfoil_bench_citus'),
  ] as const
  const installations: Installation[] = []
  try {
    for (const [at, { url }] of databases.entries()) {
      const settings = { DATABASE_URL: url, DATA_DIR: join(folder, String(at)) }
      await runCounterfoil(['seed-demo'], settings)
      if (at === 1) await runCounterfoil(['distribute', '--yes'], settings)
      installations.push(await openInstallation(adminUrl, at === 1 ? 'Citus' : 'plain', settings, PORT + at))
    }
    return await compareCosts(installations, folder)
  } finally {
    for (const { server } of installations) await server.stop()
    for (const { drop } of databases) await drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const openInstallation = async (
  adminUrl: string,
  name: Installation['name'],
  settings: Record<string, string>,
  port: number,
): Promise<Installation> => {
  const server = await startServer(port, settings)
  const url = new URL(adminUrl)
  url.pathname = new URL(settings['DATABASE_URL'] ?? '').pathname
  const processes = { program: server.pid, ...(await postgresProcesses(adminUrl)) }
  return { name, settings, server, adminUrl: url.href, processes, kind: await findKind(url.href) }
}

const findKind = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client
    .query<{ kind: string }>(
      `select s.name || ',' || t.description as kind from record_type t join service s on s.id = t.service_id
       where t.reseller_id = ${RESELLER} and s.name || t.description !~ '[",]' order by t.id limit 1`,
    )
    .finally(() => client.end())
  return rows[0]?.kind ?? ''
}

/** The coordinator and the workers, which run on this machine. */
const postgresProcesses = async (adminUrl: string): Promise<Processes> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const statement = "select (regexp_split_to_array(pg_read_file('postmaster.pid'), '\n'))[1]"
  const { rows } = await client
    .query<{ worker: number; pid: string }>(
      `select n.groupid as worker, a.result as pid from run_command_on_all_nodes($1) a join pg_dist_node n using (nodeid) order by 1`,
      [statement],
    )
    .finally(() => client.end())
  return Object.fromEntries(rows.map(({ worker, pid }) => [worker === 0 ? 'coordinator' : `worker ${worker}`, Number(pid)]))
}

const DAYS = `dateFrom=${new Date().toISOString().slice(0, 8)}01&dateTo=${new Date().toISOString().slice(0, 10)}`
const YEAR = `dateFrom=${Number(DAYS.slice(9, 13)) - 1}${DAYS.slice(13, 19)}&${DAYS.slice(20)}`

const REQUESTS: Readonly<Record<string, string>> = {
  'month page': `/v1/ec/usage?${DAYS}`,
  'month by service item name': `/v1/ec/usage?${DAYS}&sort=serviceItemName&order=asc`,
  'month by price': `/v1/ec/usage?${DAYS}&sort=price`,
  'sums of a year': `/v1/ec/usage/summary?${YEAR}`,
  services: '/v1/ec/services',
  invoices: '/v1/ec/invoices',
}

const compareCosts = async (installations: readonly Installation[], folder: string): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const [name, path] of Object.entries(REQUESTS)) {
    const costs = await inTurn(installations, (installation) => costOfRequests(installation, path))
    findings.push(toFinding(`${name}, ms a request`, costs, 1_000 / CALLS))
  }
  const loads = await inTurn(installations, (installation, round) => costOfLoad(installation, folder, round))
  findings.push(toFinding('a load, µs a record, without the program', loads, 1_000_000 / RECORDS))
  return findings
}

/** The least of several rounds, which alternate between the installations. */
const inTurn = async (
  installations: readonly Installation[],
  measure: (installation: Installation, round: number) => Promise<Costs>,
): Promise<Costs[]> => {
  const rounds: Costs[][] = installations.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, installation] of installations.entries()) rounds[at]?.push(await measure(installation, round))
  return rounds.map((costs) => costs.toSorted((one, other) => sum(one) - sum(other))[0] ?? {})
}

const sum = (costs: Costs): number => Object.values(costs).reduce((total, cost) => total + cost, 0)

const toFinding = (what: string, [plain = {}, citus = {}]: readonly Costs[], factor: number): Finding => {
  const parts = (costs: Costs): string =>
    Object.entries(costs)
      .map(([name, seconds]) => `${name} ${(seconds * factor).toFixed(2)}`)
      .join(', ')
  return maxFinding(`${what}: Citus to one server`, sum(citus) / sum(plain), MAX_COST, '×', ` (${parts(plain)}; ${parts(citus)})`)
}

/** The seconds of processor of each process while work is done. */
const costOf = async (processes: Processes, work: () => Promise<void>): Promise<Costs> => {
  const used = (): number[] => Object.values(processes).map(processorSeconds)
  const before = used()
  await work()
  const after = used()
  return Object.fromEntries(Object.keys(processes).map((name, at) => [name, (after[at] ?? 0) - (before[at] ?? 0)]))
}

const costOfRequests = async ({ server, adminUrl, processes }: Installation, path: string): Promise<Costs> => {
  const people = await signInPeople(server.url, adminUrl, CUSTOMER)
  const client = openClient(server.url, CLIENTS)
  const send = async (calls: number): Promise<void> => {
    let left = calls
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, at) => {
        while ((left -= 1) >= 0) {
          const { status, body } = await client.send({ path, headers: people[at % people.length] ?? {} })
          if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString()}`)
        }
      }),
    )
  }
  await send(CALLS / 5)
  const costs = await costOf(processes, () => send(CALLS))
  client.close()
  return costs
}

const costOfLoad = async ({ settings, processes, name, kind }: Installation, folder: string, round: number): Promise<Costs> => {
  const file = join(folder, `${name}-${round}.csv`)
  const day = new Date().toISOString().slice(0, 10)
  const lines = Array.from({ length: RECORDS }, (_, n) => `bench-${round}-${n},${CUSTOMER},${day},${kind},1,0.01`)
  writeFileSync(file, `externalId,customer,date,service,recordType,units,price\n${lines.join('\n')}\n`)
  const nodes = Object.fromEntries(Object.entries(processes).filter(([process]) => process !== 'program'))
  return costOf(nodes, () => runCounterfoil(['import', 'usage', file, '--reseller', RESELLER], settings))
}
