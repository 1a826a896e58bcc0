import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildPortal } from '../../../scripts/portal-build.ts'
import { browserPath } from './browser.ts'
import { runCli } from './command-line.ts'
import { startProduct } from './product.ts'

/**
 * Unpacks the browser and builds the portal, which two at once would break, and makes the demo data once. Each worker gets a product on
 * its own copy of the data, so that the files of one worker do not change what another one sees.
 * While writing tests it is quicker to use a product that is already running: set `E2E_URL`, `E2E_SANDBOX_URL` and `E2E_DATA_DIR`.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await browserPath()
  await buildPortal()
  const running = process.env['E2E_URL']
  if (running !== undefined) {
    project.provide('testEnvironments', [
      { url: running, sandboxUrl: process.env['E2E_SANDBOX_URL'] ?? '', dataDir: process.env['E2E_DATA_DIR'] ?? '' },
    ])
    return async () => undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-e2e-'))
  const demoDataDir = join(folder, 'demo-data')
  await runCli(demoDataDir, 'seed-demo')
  const start = async (number: number) => {
    const dataDir = join(folder, `product-${number}`)
    await cp(demoDataDir, dataDir, { recursive: true })
    return startProduct({ dataDir })
  }
  const products = await Promise.all(Array.from({ length: project.vitest.config.maxWorkers }, (_, at) => start(at)))
  project.provide(
    'testEnvironments',
    products.map(({ url, sandboxUrl, dataDir }) => ({ url, sandboxUrl, dataDir })),
  )
  return async () => {
    await Promise.all(products.map((product) => product.stop()))
    await rm(folder, { recursive: true })
  }
}
