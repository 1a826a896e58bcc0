import { Worker } from 'node:worker_threads'
import { turnstile } from './session-lock.ts'
import { type Engine, type FromEngine, type ToEngine, Wire } from './wire.ts'

export interface EmbeddedEngine {
  /** For `new pg.Pool({ stream })`: each client gets a line of its own to the one session. */
  readonly stream: () => Wire
  /** The whole data folder as one tar archive, between two transactions and never inside one; for templates and backups. */
  snapshot(): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

export interface EngineOptions {
  /** Where the data lives; null keeps it in memory. The caller holds the folder's lock. */
  readonly folder: string | null
  readonly snapshot?: Uint8Array<ArrayBuffer>
  /** How long a client waits for its turn before it is told that the session is busy. */
  readonly waitMs?: number
}

/**
 * Starts the embedded PostgreSQL in a worker thread.
 * @throws Error when the folder cannot be opened
 */
export const startEngine = async (options: EngineOptions): Promise<EmbeddedEngine> => {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { folder: options.folder, snapshot: options.snapshot ?? null },
  })
  const asked = new Map<number, { resolve: (bytes: Buffer) => void; reject: (error: Error) => void }>()
  let lastId = 0
  let dead: Error | null = null

  const die = (error: Error): void => {
    dead = error
    for (const { reject } of asked.values()) reject(error)
    asked.clear()
  }
  const ready = new Promise<Buffer>((resolve, reject) => asked.set(0, { resolve, reject }))
  worker.on('message', (message: FromEngine) => {
    const waiting = asked.get(message.id)
    asked.delete(message.id)
    if ('failure' in message) waiting?.reject(new Error(`embedded database: ${message.failure}`))
    else waiting?.resolve(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength))
  })
  worker.on('error', (error: Error) => die(error))
  worker.on('exit', () => die(new Error('embedded database: the engine has stopped')))

  const call = (ask: ToEngine['ask'], bytes: Uint8Array = new Uint8Array()): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      if (dead !== null) return reject(dead)
      lastId += 1
      asked.set(lastId, { resolve, reject })
      worker.postMessage({ id: lastId, ask, bytes } satisfies ToEngine)
    })

  await ready
  const engine: Engine = { exec: (bytes) => call('exec', bytes), turns: turnstile(options.waitMs ?? 10_000) }
  return {
    stream: () => new Wire(engine),
    snapshot: async () => {
      const turn = {}
      await engine.turns.enter(turn)
      try {
        return new Uint8Array(await call('snapshot'))
      } finally {
        engine.turns.leave(turn)
      }
    },
    close: async () => {
      await call('close').catch(() => undefined)
      await worker.terminate()
    },
  }
}
