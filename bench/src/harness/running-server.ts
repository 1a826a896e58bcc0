import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Executed directly, as a supervisor does, so that its first line sets Node's flags. */
const COUNTERFOIL = `${ROOT}server/bin/counterfoil.js`

/** Rate limits high enough that one client's load does not reach them. */
const LIMITS = ['account', 'address', 'network', 'user', 'anonymous', 'page', 'email', 'requester', 'link']
  .map((name) => `${name}=1000000/1s`)
  .join(' ')

export interface RunningServer {
  readonly url: string
  /** Milliseconds from starting the process until /readyz answered 200. */
  readonly readyMs: number
  readonly pid: number
  /** The current resident memory in MB. */
  rssMb(): number
  stop(): Promise<void>
}

const environmentOf = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  LOG_LEVEL: 'warn',
  LIMITS,
  STOP_DELAY_MS: '0',
  ...settings,
})

/** Starts `counterfoil serve` and waits until it can serve. */
export const startServer = async (port: number, settings: Record<string, string>): Promise<RunningServer> => {
  const startedAt = performance.now()
  const child = spawn(COUNTERFOIL, ['serve'], {
    cwd: ROOT,
    env: environmentOf({ PORT: String(port), ...settings }),
    stdio: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  const readyMs = performance.now() - startedAt
  return {
    url,
    readyMs,
    pid: child.pid ?? 0,
    rssMb: () => residentMb(child),
    stop: () => stopProcess(child),
  }
}

/** Starts `counterfoil worker`; there is nothing to wait for. */
export const startWorker = (settings: Record<string, string>): Pick<RunningServer, 'rssMb' | 'stop'> => {
  const child = spawn(COUNTERFOIL, ['worker'], { cwd: ROOT, env: environmentOf(settings), stdio: 'inherit' })
  return { rssMb: () => residentMb(child), stop: () => stopProcess(child) }
}

/** The resident memory in MB; 0 after the process has ended. */
const residentMb = ({ pid, exitCode }: ChildProcess): number =>
  exitCode === null ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024 : 0

const stopProcess = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

const waitUntilReady = async (url: string, child: ChildProcess): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await setTimeout(10)
  }
}

/**
 * Runs one `counterfoil` command and waits for its end.
 * @throws Error when it fails
 */
export const runCounterfoil = async (args: readonly string[], settings: Record<string, string>): Promise<void> => {
  const child = spawn(COUNTERFOIL, args, {
    cwd: ROOT,
    env: environmentOf(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`counterfoil ${args.join(' ')} ended with ${code}`)
}
