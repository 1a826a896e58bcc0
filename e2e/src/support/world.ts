import { inject } from 'vitest'

/** A product with the demo world, and the outside world of its own. */
export interface ServedWorld {
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
}

declare module 'vitest' {
  interface ProvidedContext {
    worlds: ServedWorld[]
  }
}

/** The world of the files that run one after the other in this worker: what they change, no other worker's files see. */
export const world = (): ServedWorld => {
  const worlds = inject('worlds')
  const mine = worlds[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % worlds.length]
  if (mine === undefined) throw new Error('world.setup.ts served no world')
  return mine
}
