import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A product with the demo world, and its sandbox. */
export interface World {
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
}

declare module 'vitest' {
  interface ProvidedContext {
    worlds: World[]
    /** The data folder of a demo world that no product runs on. */
    demoWorld: string
  }
}

/** The world of this worker. Its files run one after the other; files of other workers have another world. */
export const world = (): World => {
  const worlds = inject('worlds')
  // A product that is already running (E2E_URL) is the only one.
  const mine = worlds.length === 1 ? worlds[0] : worlds[Number(process.env['VITEST_POOL_ID'] ?? 1) - 1]
  if (mine === undefined) throw new Error('world.setup.ts served no world')
  return mine
}

/** A new data folder with the demo world, to be changed before a product starts on it. */
export const copyDemoWorld = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-e2e-'))
  await cp(inject('demoWorld'), folder, { recursive: true })
  return folder
}
