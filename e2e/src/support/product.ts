import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface Product {
  /** Where the portal answers. */
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
  /** What it printed until it was ready. */
  readonly greeting: string
  /** Tells it to stop, and gives the exit status. */
  stop(): Promise<number | null>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/** The tests sign in from one address far more often than a person would: only the limits that this meets are raised. */
const TEST_LIMITS =
  'address=10000/1m network=10000/1m anonymous=10000/1s user=10000/1s account=1000/1m email=1000/1h requester=1000/1h company=1000/1m link=1000/1m'

/** Starts the whole product as `npm start` does, on a folder of its own (or an earlier one's), and waits until it says that it is ready. */
export const startProduct = async ({
  dataDir,
  settings = {},
}: {
  dataDir?: string
  settings?: Record<string, string>
} = {}): Promise<Product> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'counterfoil-e2e-')))
  const [port, sandboxPort] = [await freePort(), await freePort()]
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
  const greeting = await ready(child)
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
    greeting,
    stop,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const ready = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes('The outside world')) resolve(said)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => reject(new Error(`the product ended with ${code} before it was ready:\n${said}`)))
  })
