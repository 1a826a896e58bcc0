import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../server/test/databases/free-port.ts'
import { bundleServer } from './server-bundle.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const home = mkdtempSync(join(tmpdir(), 'counterfoil-bundle-'))
let bundle: string

beforeAll(async () => {
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  bundle = mkdtempSync(join(ROOT, '.test/bundle-')) // below the root, where its packages are found
  await bundleServer(ROOT, bundle)
})
afterAll(() => {
  rmSync(bundle, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
})

/** Waits until the server's log says that it is ready. */
const waitUntilReady = async ({ stdout }: ChildProcess): Promise<void> => {
  if (stdout === null) throw new Error('its log is not read')
  for await (const line of createInterface({ input: stdout })) if (line.includes('"ready"')) return
  throw new Error('the server did not start')
}

test('the bundled server serves, hashes passwords in its threads, and runs a command', async () => {
  const port = await freePort()
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: join(home, 'data'), PORT: String(port), LOG_LEVEL: 'info', STOP_DELAY_MS: '0' }
  const program = join(bundle, 'counterfoil.js')
  const server = spawn(process.execPath, [program, 'serve', '--no-worker'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await waitUntilReady(server)
    const signIn = await fetch(`http://127.0.0.1:${port}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        username: 'nobody',
        password: 'wrong',
        client_id: 'test',
        client_secret: 'test',
      }),
    })
    expect([signIn.status, await signIn.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])

    const run = (...args: readonly string[]): string => execFileSync(process.execPath, [program, ...args], { cwd: home, env }).toString()
    run('reseller', 'add', 'Aurora', '--currency', 'EUR')
    expect(run('reseller', 'list')).toContain('Aurora')
  } finally {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  expect(server.exitCode).toBe(0)
})

test('every part of the bundle that is loaded on demand can be loaded', () => {
  const parts = readdirSync(bundle).filter((name) => name.endsWith('.js') && name !== 'counterfoil.js')
  const load = `for (const part of ${JSON.stringify(parts)}) await import(${JSON.stringify(bundle)} + '/' + part)`

  expect(parts.length).toBeGreaterThan(50)
  execFileSync(process.execPath, ['--input-type=module', '-e', load], { cwd: home })
})

test('the bundle runs while its sources are the same, else the sources do', async () => {
  const root = join(home, 'edited')
  mkdirSync(join(root, 'server/src'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'server/src/greeting.ts'), "export const greeting: string = 'hello'\n")
  writeFileSync(
    join(root, 'server/src/counterfoil.ts'),
    "import { greeting } from './greeting.ts'\nconsole.log(greeting, process.argv[2], new Error().stack?.includes('dist/'))\n",
  )
  cpSync(join(ROOT, 'server/bin'), join(root, 'server/bin'), { recursive: true })
  const run = (): string => execFileSync(process.execPath, [join(root, 'server/bin/counterfoil.js'), 'now']).toString()

  expect(run()).toBe('hello now false\n')
  await bundleServer(root)
  expect(run()).toBe('hello now true\n')
  appendFileSync(join(root, 'server/src/greeting.ts'), '// edited\n')
  expect(run()).toBe('hello now false\n')
  await bundleServer(root)
  writeFileSync(join(root, 'package-lock.json'), '{ "name": "updated" }')
  expect(run()).toBe('hello now false\n')
})
