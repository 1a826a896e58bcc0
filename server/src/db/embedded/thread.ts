/** The worker thread that runs the embedded engine: raw protocol bytes in, raw protocol bytes out (docs/decisions/0009). */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { execute } from './execute.ts'
import type { FromEngine, ToEngine } from './wire.ts'

const port = parentPort
if (port === null) throw new Error('embedded/thread.ts runs as a worker thread only')

const { folder, snapshot } = workerData as { folder: string | null; snapshot: Uint8Array<ArrayBuffer> | null }
const engine = await PGlite.create({
  ...(folder === null ? {} : { dataDir: folder }),
  ...(snapshot === null ? {} : { loadDataDir: new Blob([snapshot]) }),
})

/** Sends a message to the thread that started this one. */
const post = (message: FromEngine, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', async ({ id, kind, bytes }: ToEngine) => {
  try {
    if (kind === 'close') {
      await engine.close()
      return post({ id, bytes: new Uint8Array() })
    }
    if (kind === 'snapshot') {
      const dump = await engine.dumpDataDir('none')
      return post({ id, bytes: new Uint8Array(await dump.arrayBuffer()) })
    }
    const reply = await execute(engine, bytes)
    post({ id, bytes: reply }, [reply.buffer])
  } catch (error) {
    post({ id, failure: error instanceof Error ? error.message : String(error) })
  }
})
post({ id: 0, bytes: new Uint8Array() })
