import type { Finding } from './figures.ts'
import { exportFindings } from './usage-export.ts'
import { loadFindings } from './usage-load.ts'
import { pageFindings } from './usage-pages.ts'
import { seedUsage } from './usage-seed.ts'
import type { World } from './world.ts'

const LOADED_ROWS = 200_000

/** Pages, downloads and loads of usage, over so many records (USAGE_ROWS, 1,000,000 where it is missing). */
export const usageFindings = async (world: World): Promise<Finding[]> => {
  const rows = Number(process.env['USAGE_ROWS'] ?? '1000000')
  const today = new Date().toISOString().slice(0, 10)
  const admin = new URL(world.postgres.adminUrl)
  admin.pathname = 'counterfoil'
  const begun = performance.now()
  const seeded = await seedUsage(admin.href, rows, today)
  console.log(`usage: ${rows} records in ${Math.round((performance.now() - begun) / 1_000)} s; ${JSON.stringify(seeded)}`)
  const from = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`
  return [
    ...(await pageFindings(world, admin.href, seeded, today)),
    ...(await exportFindings(world, admin.href, seeded, from, today)),
    ...(await loadFindings(world, admin.href, LOADED_ROWS, today)),
  ]
}
