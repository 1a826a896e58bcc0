import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { sessionLock } from './session-lock.ts'
import { type Engine, type FromEngine, type ToEngine, WireConnection } from './wire.ts'

export interface EmbeddedEngine {
  /** For `new pg.Pool({ stream })`: gives each client a connection of its own to the one session. */
  readonly stream: () => WireConnection
  /** The data folder as one tar archive, taken between two transactions; for templates and backups. */
  snapshot(): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

export interface EngineOptions {
  /** Where the data lives; null keeps it in memory. The caller holds the folder's lock. */
  readonly folder: string | null
  readonly snapshot?: Uint8Array<ArrayBuffer>
  /** How long a client waits for the session before its query fails with SessionBusy. */
  readonly waitMs?: number
}

/**
 * Starts the embedded PostgreSQL in a worker thread.
 * @throws Error when the folder cannot be opened
 */
export const startEngine = async (options: EngineOptions): Promise<EmbeddedEngine> => {
  // V8 sometimes aborts the whole process when it frees compiled WebAssembly while another thread compiles (docs/decisions/0009).
  setFlagsFromString('--no-wasm-code-gc')
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { folder: options.folder, snapshot: options.snapshot ?? null },
  })
  const pending = new Map<number, { resolve: (bytes: Buffer) => void; reject: (error: Error) => void }>()
  let lastId = 0
  let failure: Error | null = null

  const failAll = (error: Error): void => {
    failure = error
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const ready = new Promise<Buffer>((resolve, reject) => pending.set(0, { resolve, reject }))
  worker.on('message', (message: FromEngine) => {
    const waiter = pending.get(message.id)
    pending.delete(message.id)
    if ('failure' in message) waiter?.reject(new Error(`embedded database: ${message.failure}`))
    else waiter?.resolve(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength))
  })
  worker.on('error', (error: Error) => failAll(error))
  worker.on('exit', () => failAll(new Error('embedded database: the engine has stopped')))

  const request = (kind: ToEngine['kind'], bytes: Uint8Array = new Uint8Array()): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure)
      lastId += 1
      pending.set(lastId, { resolve, reject })
      worker.postMessage({ id: lastId, kind, bytes } satisfies ToEngine)
    })

  await ready
  const engine: Engine = { exec: (bytes) => request('exec', bytes), sessionLock: sessionLock(options.waitMs ?? 10_000) }
  return {
    stream: () => new WireConnection(engine),
    snapshot: async () => {
      const holder = {}
      await engine.sessionLock.acquire(holder)
      try {
        return new Uint8Array(await request('snapshot'))
      } finally {
        engine.sessionLock.release(holder)
      }
    },
    close: async () => {
      await request('close').catch(() => undefined)
      await worker.terminate()
    },
  }
}
