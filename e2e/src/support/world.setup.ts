import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

/** One product per worker (maxWorkers in vitest.config.ts), so that the files of one worker do not change what another one sees. */
const WORLDS = 2

/**
 * Starts a product with the demo world for each worker.
 * While writing tests it is quicker to use a product that is already running: set `E2E_URL`, `E2E_SANDBOX_URL` and `E2E_DATA_DIR`.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const running = process.env['E2E_URL']
  if (running !== undefined) {
    project.provide('worlds', [
      { url: running, sandboxUrl: process.env['E2E_SANDBOX_URL'] ?? '', dataDir: process.env['E2E_DATA_DIR'] ?? '' },
    ])
    return () => Promise.resolve()
  }
  const products = await Promise.all(Array.from({ length: WORLDS }, () => startProduct()))
  project.provide(
    'worlds',
    products.map(({ url, sandboxUrl, dataDir }) => ({ url, sandboxUrl, dataDir })),
  )
  return async () => {
    await Promise.all(products.map((product) => product.remove()))
  }
}
