import { expect, test } from 'vitest'
import { cacheOfAccount, createProviderCache } from './provider-cache.ts'

const start = new Date('2026-11-23T10:00:00Z').getTime()

test('[PAY-01] what calls for an account remember is fetched once until it ends, also by requests at the same moment', async () => {
  let [now, fetched] = [start, 0]
  const cache = createProviderCache(() => new Date(now))
  const token = () => cache.remember('token', 3_600_000, async () => `token ${(fetched += 1)}`)
  expect(await Promise.all([token(), token()])).toEqual(['token 1', 'token 1'])
  now += 3_599_999
  expect(await token()).toBe('token 1')
  now += 1
  expect(await token()).toBe('token 2')
  cache.forget('token')
  expect(await token()).toBe('token 3')
})

test('[PAY-01] a failure is not remembered', async () => {
  const cache = createProviderCache(() => new Date(start))
  await expect(cache.remember('token', 1_000, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
  expect(await cache.remember('token', 1_000, async () => 'a token')).toBe('a token')
})

test('[PAY-01] an account whose settings change, and another account, begin with an empty memory', async () => {
  const clock = () => new Date(start)
  const remember = (accountId: number, sealed: string, value: string) =>
    cacheOfAccount(accountId, Buffer.from(sealed), clock).remember('token', 1_000, async () => value)
  expect(await remember(1, 'sealed', 'first')).toBe('first')
  expect(await remember(1, 'sealed', 'second')).toBe('first')
  expect(await remember(1, 'sealed anew', 'third')).toBe('third')
  expect(await remember(2, 'sealed', 'fourth')).toBe('fourth')
})
