import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createMasterKey, deriveKeys, readMasterKey } from './keys.ts'
import { OperatorError } from './api-error.ts'

const root = mkdtempSync(join(tmpdir(), 'counterfoil-keys-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folder: string
let made = 0
beforeEach(() => {
  folder = join(root, String((made += 1)), 'data')
})

test('the master key is made once, for its owner alone, and stays the same', () => {
  expect(readMasterKey(folder)).toBe(null)
  expect(existsSync(folder)).toBe(false)
  const { master: key, isMade } = createMasterKey(folder)
  expect(isMade).toBe(true)
  expect(key).toHaveLength(32)
  expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o400)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readMasterKey(folder)).toEqual(key)
  expect(createMasterKey(folder)).toEqual({ master: key, isMade: false })
  expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(key.toString('hex'))
  expect(readdirSync(folder)).toEqual(['master.key'])
})

test('a key that others could read is closed to them again', () => {
  const { master: key } = createMasterKey(folder)
  chmodSync(join(folder, 'master.key'), 0o644)
  expect(readMasterKey(folder)).toEqual(key)
  expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o400)
})

test.each(['', 'abc', 'z'.repeat(64), 'a'.repeat(63)])('a damaged key (%j) is never replaced, but named in a sentence', (text) => {
  createMasterKey(folder)
  const file = join(folder, 'master.key')
  chmodSync(file, 0o600)
  writeFileSync(file, text)
  expect(() => readMasterKey(folder)).toThrow(
    new OperatorError(`The master key in ${file} is damaged: it must be 64 hexadecimal digits. Restore it from a backup.`),
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('several that start together on an empty folder agree on one key', async () => {
  const program = `const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(({ createMasterKey }) => parentPort.postMessage(createMasterKey(workerData.folder).master.toString('hex')))`
  const module = new URL('./keys.ts', import.meta.url).href
  const found = await Promise.all(
    Array.from(
      { length: 4 },
      () =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker(program, { eval: true, workerData: { folder, module } })
          worker.once('message', resolve).once('error', reject)
        }),
    ),
  )
  expect(new Set(found).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['master.key'])
})

test('keys follow from the master key alone; another master key has other ones', () => {
  const [one, again, other] = [deriveKeys(Buffer.alloc(32, 1)), deriveKeys(Buffer.alloc(32, 1)), deriveKeys(Buffer.alloc(32, 2))]
  const publicKey = (keys: typeof one) => keys.tokenPublic.export({ format: 'der', type: 'spki' }).toString('hex')
  expect(publicKey(one)).toBe(publicKey(again))
  expect(publicKey(one)).not.toBe(publicKey(other))
  expect(one.mac('refresh', 'a')).toEqual(again.mac('refresh', 'a'))
  expect(one.mac('refresh', 'a')).not.toEqual(other.mac('refresh', 'a'))
  expect(one.mac('refresh', 'a')).not.toEqual(one.mac('limit', 'a'))
})

test('two lists of parts have the same keyed hash only when they are the same list', () => {
  const keys = deriveKeys(Buffer.alloc(32, 3))
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), fc.array(fc.string(), { maxLength: 4 }), (one, two) => {
      const same = JSON.stringify(one.map((text) => text.toWellFormed())) === JSON.stringify(two.map((text) => text.toWellFormed()))
      expect(keys.mac('limit', ...one).equals(keys.mac('limit', ...two))).toBe(same)
    }),
    { seed: 3 },
  )
  expect(keys.mac('limit', 'a', 'bc')).not.toEqual(keys.mac('limit', 'ab', 'c'))
})

test('what is sealed opens for what it belongs to, with the same master key, unchanged; two seals of one secret differ', () => {
  const keys = deriveKeys(Buffer.alloc(32, 1))
  const sealed = keys.seal('account 7', 'sk_test_secret')
  expect(keys.open('account 7', sealed)).toBe('sk_test_secret')
  expect(sealed.toString('latin1')).not.toContain('sk_test')
  expect(keys.seal('account 7', 'sk_test_secret')).not.toEqual(sealed)
  expect(() => keys.open('account 8', sealed)).toThrow()
  expect(() => deriveKeys(Buffer.alloc(32, 2)).open('account 7', sealed)).toThrow()
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => keys.open('account 7', changed)).toThrow()
})
