import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SANDBOX_PROGRAM = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url))

/** A payment provider with a fixed latency that measures the time spent in its calls. */
export interface SlowProvider {
  readonly url: string
  /** The number of calls since the last `takeTimings`, and the milliseconds spent in them. */
  takeTimings(): { ms: number; calls: number }
  stop(): Promise<void>
}

/** Starts the sandbox's Stripe behind a proxy that delays each call by `latencyMs`. */
export const startSlowProvider = async (latencyMs: number): Promise<SlowProvider> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-sandbox-'))
  const child = spawn(process.execPath, [SANDBOX_PROGRAM], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const sandbox = await readyUrl(child)
  const agent = new Agent({ keepAlive: true })
  let [ms, calls] = [0, 0]
  const proxy = createServer((incoming, response) => {
    const startedAt = performance.now()
    calls += 1
    response.on('close', () => {
      ms += performance.now() - startedAt
    })
    setTimeout(() => {
      const { method = 'GET', headers, url = '/' } = incoming
      const forwarded = request(new URL(url, sandbox), { agent, method, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers)
        upstream.pipe(response)
      })
      forwarded.on('error', () => response.destroy())
      incoming.pipe(forwarded)
    }, latencyMs)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    takeTimings: () => {
      const timings = { ms, calls }
      ;[ms, calls] = [0, 0]
      return timings
    },
    stop: async () => {
      agent.destroy()
      proxy.closeAllConnections()
      proxy.close()
      child.kill('SIGTERM')
      await once(child, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)))
    child.stdout?.on('data', (output: Buffer) => {
      const address = /ready at (\S+)/.exec(output.toString())?.[1]
      if (address !== undefined) resolve(address)
    })
  })
