import type { Finding } from '../harness/findings.ts'
import { exportFindings } from './usage-downloads.ts'
import { loadFindings } from './usage-loads.ts'
import { pageFindings } from './usage-pages.ts'
import { type SeededUsage, seedUsage } from './usage-seed.ts'
import type { World } from '../harness/world.ts'

const LOADED_ROWS = 200_000

/** What the parts stand on: so many records (USAGE_ROWS, 1,000,000 where it is missing) until today. */
export interface Ground {
  readonly adminUrl: string
  readonly seeded: SeededUsage
  readonly today: string
}

const grounds = new WeakMap<World, Promise<Ground>>()

/** Seeded once, whatever parts are measured. */
export const ground = (world: World): Promise<Ground> => {
  const made = grounds.get(world) ?? seed(world, Number(process.env['USAGE_ROWS'] ?? '1000000'))
  grounds.set(world, made)
  return made
}

/** A world of its own size. */
export const seed = async ({ postgres }: World, rows: number): Promise<Ground> => {
  const today = new Date().toISOString().slice(0, 10)
  const admin = new URL(postgres.adminUrl)
  admin.pathname = 'counterfoil'
  const begun = performance.now()
  const seeded = await seedUsage(admin.href, rows, today)
  console.log(`usage: ${rows} records in ${Math.round((performance.now() - begun) / 1_000)} s; ${JSON.stringify(seeded)}`)
  return { adminUrl: admin.href, seeded, today }
}

/** Pages of usage. */
export const usagePages = async (world: World): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await ground(world)
  return pageFindings(world, adminUrl, seeded, today)
}

/** Downloads of usage. */
export const usageDownloads = async (world: World): Promise<Finding[]> => {
  const { adminUrl, seeded, today } = await ground(world)
  return exportFindings(world, adminUrl, seeded, `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`, today)
}

/** Loads of usage. */
export const usageLoads = async (world: World): Promise<Finding[]> => {
  const { adminUrl, today } = await ground(world)
  return loadFindings(world, adminUrl, LOADED_ROWS, today)
}
