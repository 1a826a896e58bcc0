/** `npm run bench [name …]`: measures what the product promises, as ratios where a machine would decide otherwise. Names: bundle start sign-in discovery documents pages downloads loads queue payment, and by name alone embedded (EMBEDDED_ROWS) and scaling (SCALING_ROWS), which make worlds of their own. USAGE_ROWS says how many usage records (1000000); BENCH_PORT where the server listens. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPortal } from '../../scripts/portal-build.ts'
import { bundleFindings } from './measurements/bundle.ts'
import { discoveryFindings } from './measurements/discovery.ts'
import { documentFindings } from './measurements/documents.ts'
import { embeddedFindings } from './measurements/embedded.ts'
import { type Finding, table } from './harness/findings.ts'
import { paymentFindings } from './measurements/payment.ts'
import { queueFindings } from './measurements/report-queue.ts'
import { scalingFindings } from './measurements/scaling.ts'
import { signInFindings } from './measurements/sign-in.ts'
import { startFindings } from './measurements/start.ts'
import { usageDownloads, usageLoads, usagePages } from './usage/usage.ts'
import { startWorld, type World } from './harness/world.ts'

const IN_WORLD: Readonly<Record<string, (world: World) => Promise<Finding[]>>> = {
  start: startFindings,
  'sign-in': signInFindings,
  discovery: discoveryFindings,
  documents: documentFindings,
  pages: usagePages,
  downloads: usageDownloads,
  loads: usageLoads,
  payment: paymentFindings,
  queue: queueFindings,
}

const asked = process.argv.slice(2)
const wants = (name: string): boolean => asked.length === 0 || asked.includes(name)
const findings: Finding[] = []

if (wants('bundle')) {
  await buildPortal()
  findings.push(...bundleFindings())
}
if (asked.includes('embedded')) findings.push(...(await embeddedFindings()))
if (asked.includes('scaling')) findings.push(...(await scalingFindings()))
const names = Object.keys(IN_WORLD).filter(wants)
if (names.length > 0) {
  const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'))
  const world = await startWorld(dataDir)
  try {
    for (const name of names) findings.push(...((await IN_WORLD[name]?.(world)) ?? []))
  } finally {
    await world.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
console.log(`\n${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}\n\n${table(findings)}`)
process.exit(findings.every(({ kept }) => kept) ? 0 : 1)
