import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

/** As many workers as the browser tests have (vitest.config.ts): each waits for a product that no other one keeps busy or changes. */
const WORLDS = 2

/**
 * Before the browser tests: a product with the demo world for each worker.
 * While tests are being written, a product that runs already is quicker: `E2E_URL`, `E2E_SANDBOX_URL` and `E2E_DATA_DIR` name it.
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
