import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Archive } from './object-store.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'archive-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true })
})

const thing = (id: string, object = 'customer', more: object = {}) => ({ id, object, ...more })

test('what was kept is there after a start, newest first, each account by itself', () => {
  const archive = new Archive(dir)
  archive.put('a', thing('1'))
  archive.put('a', thing('2'))
  archive.put('b', thing('3'))
  archive.put('a', thing('1', 'customer', { name: 'new' }))
  archive.put('a', thing('4'))
  archive.remove('a', '4')
  const again = new Archive(dir)
  expect(again.all('a', 'customer')).toEqual([thing('2'), thing('1', 'customer', { name: 'new' })])
  expect([again.find('b', 'customer', '1'), again.find('a', 'charge', '1'), again.find('a', 'customer', '4')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a line that was cut while it was written is dropped, and the next one stands whole', async () => {
  new Archive(dir).put('a', thing('1'))
  await appendFile(join(dir, 'stripe.ndjson'), '{"account":"a","id":"2"')
  new Archive(dir).put('a', thing('3'))
  expect(new Archive(dir).all('a', 'customer').map(({ id }) => id)).toEqual(['3', '1'])
})

test('what is forgotten is gone from the disk too', () => {
  const archive = new Archive(dir)
  archive.put('a', thing('1'))
  archive.put('a', thing('2', 'charge'))
  archive.keepOnly(['customer'])
  archive.put('a', thing('3', 'charge'))
  for (const one of [archive, new Archive(dir)]) expect(one.all('a', 'charge').map(({ id }) => id)).toEqual(['3'])
})

test('a start leaves one line for each thing that there is, in the order in which they were made', async () => {
  const archive = new Archive(dir)
  for (let version = 1; version <= 50; version += 1) {
    archive.put('a', thing('1', 'customer', { version }))
    archive.put('a', thing('2', 'customer', { version }))
    archive.put('b', thing('3'))
  }
  archive.remove('b', '3')
  const again = new Archive(dir)
  expect((await readFile(join(dir, 'stripe.ndjson'), 'utf8')).split('\n')).toHaveLength(3)
  expect(again.all('a', 'customer')).toEqual([thing('2', 'customer', { version: 50 }), thing('1', 'customer', { version: 50 })])
  again.put('a', thing('4'))
  expect(new Archive(dir).all('a', 'customer').map(({ id }) => id)).toEqual(['4', '2', '1'])
})
