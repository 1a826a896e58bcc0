import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../kit/api-error.ts'
import { localRateLimiter } from './rate-limits.ts'
import { networkOf, addressNetworks } from './client-address.ts'
import { DEFAULT_LIMITS, type Limit } from './limits.ts'

/** The simplest model of a token bucket: full at first, each request takes one token, and tokens return at a constant rate. */
const bucket = ({ burst, refillMs }: Limit) => {
  let level: number = burst
  let last = 0
  return (at: number): boolean => {
    level = Math.min(burst, level + (at - last) / refillMs)
    last = at
    if (level < 1 - 1e-9) return false
    level -= 1
    return true
  }
}

test('a limit allows exactly what a bucket of that size and refill would', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 1_000 }).map((step) => step * 8),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 100 }),
      (burst, refillMs, gaps) => {
        const limit = { burst, refillMs }
        const counters = localRateLimiter({ ...DEFAULT_LIMITS, user: limit })
        const model = bucket(limit)
        let at = 0
        for (const gap of gaps) {
          at += gap
          const allowed = consumes(() => counters.consume('user', 'somebody', new Date(at)))
          expect(allowed).toBe(model(at))
        }
      },
    ),
    { seed: 11, numRuns: 300 },
  )
})

const consumes = (consume: () => void): boolean => {
  try {
    consume()
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    return false
  }
}

test('a request after the stated waiting time is allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100_000 }), (burst, refillMs) => {
      const counters = localRateLimiter({ ...DEFAULT_LIMITS, anonymous: { burst, refillMs } })
      const consume = (at: number): void => counters.consumeAddress('anonymous', '192.0.2.1', new Date(at))
      for (let at = 0; at < burst; at += 1) consume(0)
      let seconds = 0
      try {
        consume(0)
      } catch (error) {
        seconds = (error as ApiError).options.retryAfter ?? 0
      }
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(consumes(() => consume(seconds * 1_000))).toBe(true)
    }),
    { seed: 12 },
  )
})

test('after the clock has stepped back, somebody waits for one token and not for the time of the step', () => {
  const counters = localRateLimiter({ ...DEFAULT_LIMITS, user: { burst: 60, refillMs: 50 } })
  const consume = (at: number): boolean => consumes(() => counters.consume('user', 'somebody', new Date(at)))
  expect(consume(600_000)).toBe(true)
  consume(0)
  expect(consume(50)).toBe(true)
  expect(consume(99)).toBe(false)
})

test('subjects and limits are counted independently', () => {
  const counters = localRateLimiter({ ...DEFAULT_LIMITS, user: { burst: 1, refillMs: 60_000 }, refresh: { burst: 1, refillMs: 60_000 } })
  const now = new Date(0)
  for (const [name, subject] of [
    ['user', 'a'],
    ['user', 'b'],
    ['refresh', 'a'],
  ] as const) {
    expect(consumes(() => counters.consume(name, subject, now))).toBe(true)
    expect(consumes(() => counters.consume(name, subject, now))).toBe(false)
  }
})

test('what the network of an address refuses uses up nothing of the address', () => {
  const counters = localRateLimiter({ ...DEFAULT_LIMITS, anonymous: { burst: 1, refillMs: 60_000 } })
  const consume = (address: string, at = 0) => consumes(() => counters.consumeAddress('anonymous', address, new Date(at)))
  // Four sites use up the /48, which has four times as much.
  for (const address of ['2001:db8:7:100::1', '2001:db8:7:200::1', '2001:db8:7:300::1', '2001:db8:7:400::1'])
    expect(consume(address)).toBe(true)
  for (let at = 0; at < 5; at += 1) expect(consume('2001:db8:7:500::1')).toBe(false)
  expect(consume('2001:db8:7:500::1', 15_000)).toBe(true)
})

test.each([
  ['192.0.2.7', '192.0.2', ['192.0.2.7']],
  ['::ffff:192.0.2.7', '192.0.2', ['192.0.2.7']],
  ['2001:db8:7:1::1', '2001:db8:7/48', ['2001:db8:7:1/64', '2001:db8:7:0/56', '2001:db8:7/48']],
  ['2001:0DB8:0007:1234::1', '2001:db8:7/48', ['2001:db8:7:1234/64', '2001:db8:7:12/56', '2001:db8:7/48']],
  ['2001:db8::1', '2001:db8:0/48', ['2001:db8:0:0/64', '2001:db8:0:0/56', '2001:db8:0/48']],
  ['2001::5:6:7:8', '2001:0:0/48', ['2001:0:0:0/64', '2001:0:0:0/56', '2001:0:0/48']],
  ['fe80::1%eth0', 'fe80:0:0/48', ['fe80:0:0:0/64', 'fe80:0:0:0/56', 'fe80:0:0/48']],
  ['::1', '0:0:0/48', ['0:0:0:0/64', '0:0:0:0/56', '0:0:0/48']],
])('the network of %s is %s, and it is limited by %j, however it is written', (address, network, keys) => {
  expect(networkOf(address)).toBe(network)
  expect(addressNetworks(address).map(({ key }) => key)).toEqual(keys)
})
