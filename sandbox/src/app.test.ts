import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxApp } from './app.ts'
import { openStores, type Stores } from './stores.ts'

let dir: string
let stores: Stores
let app: ReturnType<typeof sandboxApp>
let url: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-'))
  stores = openStores(dir)
  app = sandboxApp(stores)
})

afterEach(async () => {
  await app.close()
  await rm(dir, { recursive: true })
})

const settle = async (id: string): Promise<{ status: number; answer: unknown }> => {
  const response = await fetch(`${url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'pinch', id, outcome: 'returned' }),
  })
  return { status: response.status, answer: await response.json() }
}

test('settling a debit calls its provider and answers with the ledger entry', async () => {
  url = await app.listen({ port: 0 })
  const debit = { provider: 'pinch', id: 'd_1', reference: 'r', amount: 1, currency: 'AUD', method: 'debit' } as const
  stores.settlements.register('pinch', async (id) => (id === 'd_1' ? stores.ledger.book({ ...debit, status: 'returned' }) : undefined))
  expect(await settle('d_1')).toMatchObject({ status: 200, answer: { ...debit, status: 'returned' } })
  expect(stores.ledger.list()).toMatchObject([{ id: 'd_1', status: 'returned' }])
  expect(await settle('d_2')).toMatchObject({ status: 404 })
})

test('an internal error is answered with 500 and without details', async () => {
  url = await app.listen({ port: 0 })
  stores.settlements.register('pinch', () => Promise.reject(new Error('private reason')))
  expect(await settle('d_1')).toEqual({ status: 500, answer: { message: 'The sandbox failed; its own output says why.' } })
})
