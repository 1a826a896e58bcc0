import type { Finding } from '../harness/findings.ts'
import { measureDownloads } from './usage-downloads.ts'
import { measureLoads } from './usage-loads.ts'
import { measurePages } from './usage-pages.ts'
import { type SeededUsage, seedUsage } from './usage-seed.ts'
import type { BenchWorld } from '../harness/world.ts'

const LOADED_ROWS = 200_000

/** The seeded usage records, up to today. */
export interface UsageFixture {
  readonly adminUrl: string
  readonly seeded: SeededUsage
  readonly today: string
}

const fixtures = new WeakMap<BenchWorld, Promise<UsageFixture>>()

/** The world's usage records (USAGE_ROWS, default 1000000), seeded once for all measurements. */
export const usageFixture = (world: BenchWorld): Promise<UsageFixture> => {
  const fixture = fixtures.get(world) ?? seedFixture(world, Number(process.env['USAGE_ROWS'] ?? '1000000'))
  fixtures.set(world, fixture)
  return fixture
}

/** Seeds that many usage records. */
export const seedFixture = async ({ postgres }: BenchWorld, rows: number): Promise<UsageFixture> => {
  const today = new Date().toISOString().slice(0, 10)
  const admin = new URL(postgres.adminUrl)
  admin.pathname = 'counterfoil'
  const startedAt = performance.now()
  const seeded = await seedUsage(admin.href, rows, today)
  console.log(`usage: ${rows} records in ${Math.round((performance.now() - startedAt) / 1_000)} s; ${JSON.stringify(seeded)}`)
  return { adminUrl: admin.href, seeded, today }
}

export const measureUsagePages = async (world: BenchWorld): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await usageFixture(world)
  return measurePages(world, adminUrl, seeded, today)
}

export const measureUsageDownloads = async (world: BenchWorld): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await usageFixture(world)
  return measureDownloads(world, adminUrl, seeded, `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, today)
}

export const measureUsageLoads = async (world: BenchWorld): Promise<Finding[]> => {
  const { adminUrl, today } = await usageFixture(world)
  return measureLoads(world, adminUrl, LOADED_ROWS, today)
}
