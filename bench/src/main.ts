/**
 * `npm run bench [name …]`: measures the product's performance goals, as ratios where absolute figures would depend on the machine.
 * Names: bundle csv start sign-in slow-phone neighbour overload memory discovery documents lists pages downloads loads queue payment. Only when named: embedded
 * (EMBEDDED_ROWS), scaling (SCALING_ROWS) and citus (TEST_CITUS_URL), which create their own databases. USAGE_ROWS is the number of usage records (1000000), BENCH_PORT the server's port.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPortal } from '../../scripts/portal-build.ts'
import { bundleServer } from '../../scripts/server-bundle.ts'
import { measureBundle } from './measurements/bundle.ts'
import { measureCitus } from './measurements/citus.ts'
import { measureCsv } from './measurements/csv.ts'
import { measureDiscovery } from './measurements/discovery.ts'
import { measureDocuments } from './measurements/documents.ts'
import { measureEmbedded } from './measurements/embedded.ts'
import { type Finding, toTable } from './harness/findings.ts'
import { measureLists } from './measurements/lists.ts'
import { measureMemory } from './measurements/memory.ts'
import { measureOverload } from './measurements/overload.ts'
import { measurePayment } from './measurements/payment.ts'
import { measureNeighbour } from './measurements/neighbour.ts'
import { measureQueue } from './measurements/report-queue.ts'
import { measureScaling } from './measurements/scaling.ts'
import { measureSignIn } from './measurements/sign-in.ts'
import { measureSlowPhone } from './measurements/slow-phone.ts'
import { measureStart } from './measurements/start.ts'
import { measureUsageDownloads, measureUsageLoads, measureUsagePages } from './usage/usage.ts'
import { startEnvironment, type BenchEnvironment } from './harness/environment.ts'

const ENVIRONMENT_MEASUREMENTS: Readonly<Record<string, (environment: BenchEnvironment) => Promise<Finding[]>>> = {
  start: measureStart,
  'sign-in': measureSignIn,
  'slow-phone': measureSlowPhone,
  neighbour: measureNeighbour,
  overload: measureOverload,
  memory: measureMemory,
  discovery: measureDiscovery,
  documents: measureDocuments,
  lists: measureLists,
  pages: measureUsagePages,
  downloads: measureUsageDownloads,
  loads: measureUsageLoads,
  payment: measurePayment,
  queue: measureQueue,
}

const requestedNames = process.argv.slice(2)
const isRequested = (name: string): boolean => requestedNames.length === 0 || requestedNames.includes(name)
const findings: Finding[] = []

if (isRequested('bundle')) {
  await buildPortal()
  findings.push(...measureBundle())
}
if (isRequested('csv')) findings.push(...(await measureCsv()))
if (requestedNames.includes('embedded')) findings.push(...(await measureEmbedded()))
if (requestedNames.includes('scaling')) findings.push(...(await measureScaling()))
if (requestedNames.includes('citus')) {
  await bundleServer()
  findings.push(...(await measureCitus()))
}
const names = Object.keys(ENVIRONMENT_MEASUREMENTS).filter(isRequested)
if (names.length > 0) {
  await bundleServer()
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'))
  const environment = await startEnvironment(dataDir)
  try {
    for (const name of names) findings.push(...((await ENVIRONMENT_MEASUREMENTS[name]?.(environment)) ?? []))
  } finally {
    await environment.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
console.log(`\n${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}\n\n${toTable(findings)}`)
process.exit(findings.every(({ isMet }) => isMet) ? 0 : 1)
