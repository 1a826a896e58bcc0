import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Run as a supervisor runs it: by itself, so that its first line chooses Node's flags. */
const COUNTERFOIL = `${ROOT}server/bin/counterfoil.js`

/** One client asks far more than a person: the limits that a benchmark meets are raised. */
const LIMITS = ['account', 'address', 'network', 'user', 'anonymous', 'email', 'requester', 'link']
  .map((name) => `${name}=1000000/1s`)
  .join(' ')

export interface RunningServer {
  readonly url: string
  /** Milliseconds from starting the process until /readyz said yes. */
  readonly readyMs: number
  /** Resident memory in MB just now. */
  rssMb(): number
  stop(): Promise<void>
}

const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  LOG_LEVEL: 'warn',
  LIMITS,
  STOP_DELAY_MS: '0',
  ...settings,
})

/** Starts `counterfoil serve` and waits until it can serve. */
export const startServer = async (port: number, settings: Record<string, string>): Promise<RunningServer> => {
  const begun = performance.now()
  const child = spawn(COUNTERFOIL, ['serve'], {
    cwd: ROOT,
    env: environment({ PORT: String(port), ...settings }),
    stdio: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  await ready(url, child)
  const readyMs = performance.now() - begun
  return {
    url,
    readyMs,
    rssMb: () => residentMb(child),
    stop: () => stopped(child),
  }
}

/** Starts `counterfoil worker`, which says nothing of itself. */
export const startWorker = (settings: Record<string, string>): Pick<RunningServer, 'rssMb' | 'stop'> => {
  const child = spawn(COUNTERFOIL, ['worker'], { cwd: ROOT, env: environment(settings), stdio: 'inherit' })
  return { rssMb: () => residentMb(child), stop: () => stopped(child) }
}

/** Resident memory; 0 once the process has ended. */
const residentMb = ({ pid, exitCode }: ChildProcess): number =>
  exitCode === null ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024 : 0

const stopped = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const ready = async (url: string, child: ChildProcess): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const yes = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (yes) return
    await setTimeout(10)
  }
}

/** Runs one command of the command line to its end. */
export const runCounterfoil = async (args: readonly string[], settings: Record<string, string>): Promise<void> => {
  const child = spawn(COUNTERFOIL, args, {
    cwd: ROOT,
    env: environment(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`counterfoil ${args.join(' ')} ended with ${code}`)
}
