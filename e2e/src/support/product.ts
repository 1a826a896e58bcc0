import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from './free-port.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface Product {
  /** The portal's URL. */
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
  /** What the process printed until it was ready. */
  readonly startupOutput: string
  /** Sends SIGTERM, and resolves with the exit status. */
  stop(): Promise<number | null>
  /** Stops the process and removes its data folder. */
  remove(): Promise<void>
}

/** The tests sign in from one address far more often than users do. Only the limits that this reaches are raised. */
const TEST_LIMITS =
  'address=10000/1m network=10000/1m anonymous=10000/1s user=10000/1s account=1000/1m email=1000/1h requester=1000/1h company=1000/1m link=1000/1m payer=1000/1m paylink=1000/1m slowmode=1000/1s payment=1000/1m'

/** Starts the whole product as `npm start` does, on a new data folder or the given one, and waits until it is ready. */
export const startProduct = async ({
  dataDir,
  settings = {},
}: {
  dataDir?: string
  settings?: Record<string, string>
} = {}): Promise<Product> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'counterfoil-e2e-')))
  // One for the portal and two for the sandbox, which takes the one after its own for mails.
  const port = await findFreePorts(3)
  const sandboxPort = port + 1
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      LIMITS: TEST_LIMITS,
      STOP_DELAY_MS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const startupOutput = await waitUntilReady(child)
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    return code
  }
  return {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    dataDir: folder,
    startupOutput,
    stop,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const waitUntilReady = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes('The outside world')) resolve(output)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the product ended with ${code} before it was ready:\n${output}`)))
  })
