import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { embeddedStore, type Store } from '../../../src/db/database.ts'
import { sessionLock } from '../../../src/db/embedded/session-lock.ts'
import { WireConnection } from '../../../src/db/embedded/wire.ts'

const PATIENCE_MS = 60_000

export interface QuickStore {
  readonly store: Store
  /** Lets the log go that nobody recovers from; in memory it would grow for as long as the bench runs. */
  checkpoint(): Promise<void>
}

/**
 * The embedded database of an archive, in this thread and for one client that prepares its statements: several times as quick as the
 * engine in its own thread, and good for nothing but a bench, which has nothing else to do while it waits.
 */
export const quickStore = async (snapshot: string, onError: (error: Error) => void): Promise<QuickStore> => {
  const database = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readFile(snapshot))]) })
  await database.exec('set plan_cache_mode = force_generic_plan') // planning is most of what a statement costs here
  const engine = {
    exec: async (bytes: Uint8Array) => Buffer.from(database.execProtocolRawSync(bytes)),
    sessionLock: sessionLock<object>(PATIENCE_MS),
  }
  const archive = async (): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
  const inThread = { stream: () => new WireConnection(engine), snapshot: archive, close: () => database.close() }
  return {
    store: embeddedStore(inThread, onError, true),
    checkpoint: async () => {
      await database.exec('checkpoint')
    },
  }
}
