import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ObjectStore } from './object-store.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'objects-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true })
})

const newObject = (id: string, object = 'customer', more: object = {}) => ({ id, object, ...more })

test('objects are loaded at the start, newest first, separately for each account', () => {
  const store = new ObjectStore(dir, 'stripe')
  store.put('a', newObject('1'))
  store.put('a', newObject('2'))
  store.put('b', newObject('3'))
  store.put('a', newObject('1', 'customer', { name: 'new' }))
  store.put('a', newObject('4'))
  store.remove('a', '4')
  const reopened = new ObjectStore(dir, 'stripe')
  expect(reopened.all('a', 'customer')).toEqual([newObject('2'), newObject('1', 'customer', { name: 'new' })])
  expect([reopened.find('b', 'customer', '1'), reopened.find('a', 'charge', '1'), reopened.find('a', 'customer', '4')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('an incomplete last line is dropped, and the next one is complete', async () => {
  new ObjectStore(dir, 'stripe').put('a', newObject('1'))
  await appendFile(join(dir, 'stripe.ndjson'), '{"account":"a","id":"2"')
  new ObjectStore(dir, 'stripe').put('a', newObject('3'))
  expect(new ObjectStore(dir, 'stripe').all('a', 'customer').map(({ id }) => id)).toEqual(['3', '1'])
})

test('removed kinds are removed from the disk too', () => {
  const store = new ObjectStore(dir, 'stripe')
  store.put('a', newObject('1'))
  store.put('a', newObject('2', 'charge'))
  store.keepOnly(['customer'])
  store.put('a', newObject('3', 'charge'))
  for (const opened of [store, new ObjectStore(dir, 'stripe')]) expect(opened.all('a', 'charge').map(({ id }) => id)).toEqual(['3'])
})

test('opening compacts the file to one line per object, in the order of creation', async () => {
  const store = new ObjectStore(dir, 'stripe')
  for (let version = 1; version <= 50; version += 1) {
    store.put('a', newObject('1', 'customer', { version }))
    store.put('a', newObject('2', 'customer', { version }))
    store.put('b', newObject('3'))
  }
  store.remove('b', '3')
  const reopened = new ObjectStore(dir, 'stripe')
  expect((await readFile(join(dir, 'stripe.ndjson'), 'utf8')).split('\n')).toHaveLength(3)
  expect(reopened.all('a', 'customer')).toEqual([newObject('2', 'customer', { version: 50 }), newObject('1', 'customer', { version: 50 })])
  reopened.put('a', newObject('4'))
  expect(new ObjectStore(dir, 'stripe').all('a', 'customer').map(({ id }) => id)).toEqual(['4', '2', '1'])
})
