import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    productUrl: string
    sandboxUrl: string
    dataDir: string
  }
}

/**
 * Before the browser tests: one product with the demo world, which all of them use.
 * While tests are being written, a product that runs already is quicker: `E2E_URL`, `E2E_SANDBOX_URL` and `E2E_DATA_DIR` name it.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const running = process.env['E2E_URL']
  if (running !== undefined) {
    project.provide('productUrl', running)
    project.provide('sandboxUrl', process.env['E2E_SANDBOX_URL'] ?? '')
    project.provide('dataDir', process.env['E2E_DATA_DIR'] ?? '')
    return () => Promise.resolve()
  }
  const product = await startProduct()
  project.provide('productUrl', product.url)
  project.provide('sandboxUrl', product.sandboxUrl)
  project.provide('dataDir', product.dataDir)
  return () => product.remove()
}
