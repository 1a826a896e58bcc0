import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noClimbing, SERVER_LAYERS } from '../boundaries.ts'

test.each([
  ['queue', '../mail/transport.ts'],
  ['mail', '../../payments/attempts/attempt.ts'],
  ['payments', '../../jobs/worker.ts'],
  ['config.ts', './session/actor.ts'],
  ['db', '../config.ts'],
] as const)('an import that climbs is found: %s imports %s', (layer, path) => {
  expect(new RegExp(noClimbing(layer).regex).test(path)).toBe(true)
})

test.each([
  ['jobs', '../queue/job.ts'],
  ['payments', '../attempts/attempt.ts'],
  ['imports', './usage/load-usage.ts'],
  ['cli', './imports/import-usage.ts'],
  ['context.ts', './session/tokens.ts'],
] as const)('an import of what lies below or beside is none: %s imports %s', (layer, path) => {
  expect(new RegExp(noClimbing(layer).regex).test(path)).toBe(false)
})

test('every folder of the server has its layer', () => {
  const folders = readdirSync(new URL('../server/src', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).filter((name) => name !== 'migrations' && !SERVER_LAYERS.some((layer) => layer === name))).toEqual(
    [],
  )
})
