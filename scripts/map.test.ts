import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOUSE = join(ROOT, 'docs/house.md')

// Each test starts the script as a program of its own, more than once.
vi.setConfig({ testTimeout: 30_000 })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-map-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const map = (...args: string[]) => spawnSync(process.execPath, ['scripts/map.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

/** A copy of the house's document in which `what` has been written differently. */
const changed = (name: string, what: string | RegExp, into: string): string => {
  const file = join(folder, name)
  const text = readFileSync(HOUSE, 'utf8')
  expect(text).toMatch(what)
  writeFileSync(file, text.replace(what, into))
  return file
}

test('docs/house.md carries the map that the contract draws', () => {
  expect(map('--check')).toMatchObject({ status: 0, stderr: '' })
})

test('the map has one row for each call of the contract, in the room of its area', () => {
  const rows = map().stdout.trimEnd().split('\n').slice(2)
  const calls = Object.entries(ENDPOINTS).flatMap(([area, ofArea]) => Object.values(ofArea).map((call) => ({ area, call })))

  expect(rows).toHaveLength(calls.length)
  for (const { area, call } of calls)
    expect(rows.filter((row) => row.startsWith(`| \`${call.method} ${call.path}\` |`) && row.endsWith(`| \`${area}\` |`))).toHaveLength(1)
})

test.each([
  ['a call that is missing', /\| `GET \/v1\/ec\/me` .*\n/, ''],
  ['a call in another room', /(\| `GET \/v1\/ec\/me` .*)`customers` \|/, '$1`people` |'],
  ['a call that nobody serves', '<!-- /map -->', '| `GET /v1/ec/nothing` | anyone | always | `nothing` |\n<!-- /map -->'],
])('a document with %s is refused, and --write mends it', (_, what, into) => {
  const file = changed('changed.md', what, into)

  expect(map('--check', file)).toMatchObject({ status: 1, stderr: expect.stringContaining('does not say what the contract says') })
  expect(map('--write', file).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(HOUSE, 'utf8'))
})

test('a document without the marks is refused', () => {
  const file = changed('unmarked.md', '<!-- /map -->', '')

  expect(map('--check', file)).toMatchObject({ status: 1, stderr: expect.stringContaining('lacks the marks') })
})
