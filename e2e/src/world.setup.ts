import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    productUrl: string
    sandboxUrl: string
  }
}

/** Before the browser tests: one product with the demo world, which all of them use. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const product = await startProduct()
  project.provide('productUrl', product.url)
  project.provide('sandboxUrl', product.sandboxUrl)
  return () => product.remove()
}
