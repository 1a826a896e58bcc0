import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, test } from 'vitest'
import { DEMO_PASSWORD } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { type Product, startProduct } from '../support/product.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const USERS = ['demo', 'us', 'uk', 'eu', 'authorize', 'ippay', 'moneris', 'pinch', 'nexio', 'bpoint', 'none', 'sso']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-first-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('[OPS-01] one command on an empty folder brings everything up, says where and for whom, and the next one finds the same world', async () => {
  const first = await startProduct({ dataDir: join(folder, 'data') })
  const invoices = await (async () => {
    try {
      expect(first.startupOutput).toContain(first.url)
      expect(first.startupOutput).toContain(DEMO_PASSWORD)
      expect(USERS.filter((user) => !new RegExp(`^ +${user} +\\S`, 'm').test(first.startupOutput))).toEqual([])
      const sandbox = /The outside world[^:]*:\s+(http:\S+)/.exec(first.startupOutput)?.[1] ?? ''
      expect(new URL(sandbox).port).toBe(new URL(first.sandboxUrl).port)
      expect((await fetch(`${sandbox}/mail`)).status).toBe(200)
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
      expect((await fetch(`${first.url}/login`)).status).toBe(200)

      const second = spawnSync(process.execPath, ['scripts/start.ts'], {
        cwd: ROOT,
        env: { ...process.env, PORT: '0', SANDBOX_PORT: '0', DATA_DIR: first.dataDir, LOG_LEVEL: 'warn' },
        encoding: 'utf8',
        timeout: 30_000,
      })
      expect(second.status).toBe(1)
      expect(second.stderr).toMatch(/in use|already/i)
      expect(second.stderr).not.toMatch(/\n\s+at /)
      return await fetchDemoInvoices(first)
    } finally {
      expect(await first.stop()).toBe(0)
    }
  })()
  expect(invoices.length).toBeGreaterThanOrEqual(14)

  const restarted = await startProduct({ dataDir: join(folder, 'data') })
  try {
    expect(restarted.startupOutput).not.toContain('Making the demo world')
    expect(await fetchDemoInvoices(restarted)).toEqual(invoices)
  } finally {
    expect(await restarted.stop()).toBe(0)
  }
}, 180_000)

/** All invoices of the user demo, with their pay tokens. */
const fetchDemoInvoices = async ({ url }: Product): Promise<unknown[]> => {
  const body = new URLSearchParams({
    grant_type: 'password',
    username: 'demo',
    password: DEMO_PASSWORD,
    client_id: 'e2e',
    client_secret: 'e2e',
  })
  const signedIn = await fetch(`${url}/token`, { method: 'POST', body })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const me = (await (await fetch(`${url}/v1/ec/me`, { headers })).json()) as { customers: { customerId: number }[] }
  const lists = me.customers.map(async ({ customerId }) => {
    const answer = await fetch(`${url}/v1/ec/invoices`, { headers: { ...headers, 'x-customer-id': String(customerId) } })
    return (await answer.json()) as unknown[]
  })
  return (await Promise.all(lists)).flat()
}
