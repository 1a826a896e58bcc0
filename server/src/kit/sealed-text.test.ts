import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKeys } from './keys.ts'

const keys = deriveKeys(randomBytes(32))

test('[SSO-01] a sealed secret opens under the words and the master key that it was sealed under, and under no others', () => {
  const sealed = keys.seal('of reseller 1', 'gehëim')
  expect(keys.open('of reseller 1', sealed)).toBe('gehëim')
  expect(() => keys.open('of reseller 2', sealed)).toThrow()
  expect(() => deriveKeys(randomBytes(32)).open('of reseller 1', sealed)).toThrow()
})

test('a sealed secret that was changed anywhere does not open', () => {
  const sealed = keys.seal('here', 'secret')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => keys.open('here', changed), `byte ${at}`).toThrow()
    expect(() => keys.open('here', sealed.subarray(0, at)), `the first ${at} bytes`).toThrow()
  }
})

test('the same secret is never sealed into the same bytes, and its text is not among them', () => {
  const [one, other] = [keys.seal('here', 'secret'), keys.seal('here', 'secret')]
  expect(one.equals(other)).toBe(false)
  expect(one.includes('secret')).toBe(false)
})
