import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ALL_MUTANTS } from './mutants/all-mutants.ts'

const PAYMENTS = resolve(import.meta.dirname, '../server/src/payments')

test('every mistake that `npm run test:mutants` plants has its place in the code, once', () => {
  const misplaced = ALL_MUTANTS.filter(({ file, from }) => readFileSync(join(PAYMENTS, file), 'utf8').split(from).length !== 2)
  expect(misplaced.map(({ file, mistake }) => `${file}: ${mistake}`)).toEqual([])
})
