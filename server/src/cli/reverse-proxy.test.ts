import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../test/databases/free-port.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

const GUIDE = readFileSync(fileURLToPath(new URL('../../../docs/operating.md', import.meta.url)), 'utf8')
const exampleOf = (language: string): string => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? ''

/** Replaces a text that must stand in the example. */
const adapt = (example: string, changes: readonly (readonly [string | RegExp, string])[]): string =>
  changes.reduce((config, [from, to]) => {
    expect(config).toMatch(from)
    return config.replace(from, to)
  }, example)

/** Each program, how its configuration is made from the guide's, without TLS and on these ports, and how it is started. */
const PROXIES = {
  nginx: {
    config: (port: number, upstream: number, home: string): string => {
      const site = adapt(exampleOf('nginx'), [
        ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
        [/^ *ssl_certificate .*\n *ssl_certificate_key .*\n/m, ''],
        ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
      ])
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ')
      return `daemon off; pid ${home}/pid; error_log stderr; events {} http { access_log off; ${paths} ${site} }`
    },
    start: (file: string): readonly string[] => ['-c', file],
  },
  caddy: {
    config: (port: number, upstream: number): string => {
      const site = adapt(exampleOf('caddy'), [
        [/^billing\.example\.com/, `http://billing.example.com:${port}`],
        ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
      ])
      return `{\n admin off\n auto_https off\n}\n${site}`
    },
    start: (file: string): readonly string[] => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

let context: TestContext
let upstream: number
beforeAll(async () => {
  context = await testContext({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://billing.example.com' })
  const app = await context.app()
  app.get('/who', async ({ ip, hostname }) => ({ ip, hostname }))
  upstream = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => context.close())

test.for(['nginx', 'caddy'] as const)(
  '[OPS-03] %s, as docs/operating.md sets it up, passes on who asks and for which host, and never serves the figures',
  async (name, { skip }) => {
    if (spawnSync(name, [name === 'nginx' ? '-v' : 'version']).error !== undefined) {
      console.log(`LEFT OUT: ${name} is not installed`)
      skip()
    }
    const home = mkdtempSync(join(tmpdir(), 'counterfoil-proxy-'))
    const port = await freePort()
    const file = join(home, 'config')
    writeFileSync(file, PROXIES[name].config(port, upstream, home))
    const proxy = spawn(name, PROXIES[name].start(file), { env: { ...process.env, HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      await untilListening(port, proxy)
      expect(await ask(port, '/who', { 'x-forwarded-for': '192.0.2.66' })).toEqual({
        status: 200,
        body: JSON.stringify({ ip: '127.0.0.2', hostname: 'billing.example.com' }),
      })
      expect((await ask(port, '/readyz')).status).toBe(200)
      expect((await ask(port, '/metrics')).status).toBe(404)
    } finally {
      proxy.kill()
      await once(proxy, 'close')
      rmSync(home, { recursive: true })
    }
  },
)

const untilListening = async (port: number, proxy: ChildProcess): Promise<void> => {
  const ended = proxy.stderr === null ? Promise.resolve('') : text(proxy.stderr)
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(`the proxy did not start: ${await ended}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await setImmediate()
  }
}

const ask = (port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, localAddress: '127.0.0.2', headers: { host: 'billing.example.com', ...headers } },
      (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
      },
    )
    sent.on('error', reject).end()
  })
