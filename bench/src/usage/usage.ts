import type { Finding } from '../harness/findings.ts'
import { measureDownloads } from './usage-downloads.ts'
import { measureLoads } from './usage-loads.ts'
import { measurePages } from './usage-pages.ts'
import { type SeededUsage, seedUsage } from './usage-seed.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

const LOADED_ROWS = 200_000

/** The seeded usage records, up to today. */
export interface UsageFixture {
  readonly adminUrl: string
  readonly seeded: SeededUsage
  readonly today: string
}

const fixtures = new WeakMap<BenchEnvironment, Promise<UsageFixture>>()

/** The environment's usage records (USAGE_ROWS, default 1000000), seeded once for all measurements. */
export const usageFixture = (environment: BenchEnvironment): Promise<UsageFixture> => {
  const fixture = fixtures.get(environment) ?? seedFixture(environment, Number(process.env['USAGE_ROWS'] ?? '1000000'))
  fixtures.set(environment, fixture)
  return fixture
}

/** Seeds that many usage records. */
export const seedFixture = async ({ postgres }: BenchEnvironment, rows: number): Promise<UsageFixture> => {
  const today = new Date().toISOString().slice(0, 10)
  const admin = new URL(postgres.adminUrl)
  admin.pathname = 'counterfoil'
  const startedAt = performance.now()
  const seeded = await seedUsage(admin.href, rows, today)
  console.log(`usage: ${rows} records in ${Math.round((performance.now() - startedAt) / 1_000)} s; ${JSON.stringify(seeded)}`)
  return { adminUrl: admin.href, seeded, today }
}

export const measureUsagePages = async (environment: BenchEnvironment): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await usageFixture(environment)
  return measurePages(environment, adminUrl, seeded, today)
}

export const measureUsageDownloads = async (environment: BenchEnvironment): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await usageFixture(environment)
  return measureDownloads(environment, adminUrl, seeded, `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, today)
}

export const measureUsageLoads = async (environment: BenchEnvironment): Promise<Finding[]> => {
  const { adminUrl, today } = await usageFixture(environment)
  return measureLoads(environment, adminUrl, LOADED_ROWS, today)
}
