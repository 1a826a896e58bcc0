import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keysFrom } from './keys.ts'
import { seal, unseal } from './seal.ts'

const keys = keysFrom(randomBytes(32))

test('[SSO-01] a sealed secret opens under the words and the master key that it was sealed under, and under no others', () => {
  const sealed = seal(keys, 'of reseller 1', 'gehëim')
  expect(unseal(keys, 'of reseller 1', sealed)).toBe('gehëim')
  expect(() => unseal(keys, 'of reseller 2', sealed)).toThrow()
  expect(() => unseal(keysFrom(randomBytes(32)), 'of reseller 1', sealed)).toThrow()
})

test('a sealed secret that was changed anywhere does not open', () => {
  const sealed = seal(keys, 'here', 'secret')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => unseal(keys, 'here', changed), `byte ${at}`).toThrow()
    expect(() => unseal(keys, 'here', sealed.subarray(0, at)), `the first ${at} bytes`).toThrow()
  }
})

test('the same secret is never sealed into the same bytes, and its text is not among them', () => {
  const [one, other] = [seal(keys, 'here', 'secret'), seal(keys, 'here', 'secret')]
  expect(one.equals(other)).toBe(false)
  expect(one.includes('secret')).toBe(false)
})
