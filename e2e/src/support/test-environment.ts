import { inject } from 'vitest'

/** A running product with the demo data, and its sandbox. */
export interface TestEnvironment {
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testEnvironments: TestEnvironment[]
  }
}

/** The environment of this worker. A worker's files run one after the other; other workers have environments of their own. */
export const testEnvironment = (): TestEnvironment => {
  const all = inject('testEnvironments')
  // A product that is already running (E2E_URL) is the only one.
  const mine = all.length === 1 ? all[0] : all[Number(process.env['VITEST_POOL_ID'] ?? 1) - 1]
  if (mine === undefined) throw new Error('test-environment.setup.ts started no product for this worker')
  return mine
}
