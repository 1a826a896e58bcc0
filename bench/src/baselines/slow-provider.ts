import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url))

/** A payment company that takes the same time for each call, and knows how long it had them in its hands. */
export interface SlowCompany {
  readonly url: string
  /** Milliseconds that calls have spent here since this was last asked, and how many calls there were. */
  spent(): { ms: number; calls: number }
  stop(): Promise<void>
}

/** The sandbox's Stripe behind a door that holds each call for so many milliseconds. */
export const slowCompany = async (latencyMs: number): Promise<SlowCompany> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-sandbox-'))
  const child = spawn(process.execPath, [SANDBOX], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const sandbox = await readyUrl(child)
  const agent = new Agent({ keepAlive: true })
  let [ms, calls] = [0, 0]
  const door = createServer((incoming, answer) => {
    const begun = performance.now()
    calls += 1
    answer.on('close', () => {
      ms += performance.now() - begun
    })
    setTimeout(() => {
      const { method = 'GET', headers, url = '/' } = incoming
      const passed = request(new URL(url, sandbox), { agent, method, headers }, (theirs) => {
        answer.writeHead(theirs.statusCode ?? 502, theirs.headers)
        theirs.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      incoming.pipe(passed)
    }, latencyMs)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('the company has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spent: () => {
      const spent = { ms, calls }
      ;[ms, calls] = [0, 0]
      return spent
    },
    stop: async () => {
      agent.destroy()
      door.closeAllConnections()
      door.close()
      child.kill('SIGTERM')
      await once(child, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)))
    child.stdout?.on('data', (words: Buffer) => {
      const found = /ready at (\S+)/.exec(words.toString())?.[1]
      if (found !== undefined) resolve(found)
    })
  })
