import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

let dir: string
let file: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ledger-'))
  file = join(dir, 'ledger.ndjson')
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const debit = {
  provider: 'pinch',
  id: 'd_1',
  reference: 'attempt-1',
  amount: 500,
  currency: 'AUD',
  status: 'pending',
  method: 'debit',
} as const

test('a settled debit is one entry with its latest status, and both lines stay on disk', async () => {
  const ledger = new Ledger(dir)
  ledger.book(debit)
  ledger.book({ ...debit, provider: 'stripe' })
  ledger.book({ ...debit, status: 'succeeded' })
  expect(ledger.list()).toMatchObject([
    { provider: 'pinch', status: 'succeeded' },
    { provider: 'stripe', status: 'pending' },
  ])
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(3)
  expect(new Ledger(dir).list()).toEqual(ledger.list())
})

test('an incomplete last line is dropped, and the next booking is complete', async () => {
  new Ledger(dir).book(debit)
  await appendFile(file, '{"provider":"pinch","id":"d_2"')
  new Ledger(dir).book({ ...debit, id: 'd_3' })
  expect(new Ledger(dir).list().map(({ id }) => id)).toEqual(['d_1', 'd_3'])
})

test.each(['not json', '{"provider":"pinch"}', 'null'])('a ledger with the line %s is rejected with the line number', async (line) => {
  new Ledger(dir).book(debit)
  await appendFile(file, `${line}\n`)
  expect(() => new Ledger(dir)).toThrow(/^Line 2 of .*ledger\.ndjson is not a ledger entry/)
})

test('an amount that is not an integer, or a currency that is not three upper-case letters, is rejected', async () => {
  const ledger = new Ledger(dir)
  expect(() => ledger.book({ ...debit, amount: 1.5 })).toThrow(RangeError)
  expect(() => ledger.book({ ...debit, currency: 'aud' })).toThrow(RangeError)
  expect(ledger.list()).toEqual([])
})

test('a booking that cannot be written is not listed', async () => {
  const ledger = new Ledger(dir)
  await rm(dir, { recursive: true })
  expect(() => ledger.book(debit)).toThrow(/ENOENT/)
  expect(ledger.list()).toEqual([])
})
