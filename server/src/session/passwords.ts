import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { PASSWORD_MAX_BYTES } from '@counterfoil/contract/kit/password'
import type { Keys } from '../kit/keys.ts'
import { ApiError } from '../kit/api-error.ts'
import { crowd } from './crowd.ts'
import { giveWay } from './hashing-threads.ts'

/** The cost parameters of Argon2id. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's minimum for Argon2id (docs/decisions/0010). */
export const ARGON2: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface Passwords {
  /** An encoded Argon2id hash with its parameters. @throws ApiError 429 when the queue is full */
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash (unknown user) it takes the same time and returns false.
   * @throws ApiError 429 when the queue is full
   */
  verify(encoded: string | null, password: string): Promise<boolean>
  /** Whether the hash has other parameters than the current ones. The next sign-in then replaces it. */
  needsRehash(encoded: string): boolean
  /** How many passwords wait to be hashed. */
  queueLength(): number
}

/** Hashed for unknown users, to take the same time. */
const DUMMY_PASSWORD = 'nobody has this password'

/**
 * Password hashing behind a bounded queue: one more at once than there are cores, so that no core waits until the main thread begins the
 * next, and a flood of sign-ins takes neither the memory nor the threads that other requests need.
 */
export const passwords = (
  keys: Keys,
  { atOnce: concurrency = availableParallelism() + 1, queue: maxQueue = 50, cost = ARGON2 } = {},
): Passwords => {
  const secret = keys.mac('pepper')
  const options: Options = { ...cost, secret } // Argon2id is the library's own default algorithm
  const waiting: (() => void)[] = []
  const goOn = crowd(() => waiting.length)
  let running = 0

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (waiting.length >= maxQueue)
        throw new ApiError(429, 'Too many people are signing in just now. Please try again in a moment.', {
          retryAfter: 5,
          oauth: 'temporarily_unavailable',
        })
      await new Promise<void>((resolve) => waiting.push(resolve)) // whoever finishes hands its place over
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  let dummy: Promise<string> | undefined
  let haveGivenWay = false
  /** Hashes off the main thread; the threads are there from the first time on. */
  const hashOffThread = <T>(under: Promise<T>): Promise<T> => {
    if (!haveGivenWay) giveWay()
    haveGivenWay = true
    return under
  }
  const dummyHash = (): Promise<string> => (dummy ??= hash(DUMMY_PASSWORD, options))

  return {
    hash: (password) => inTurn(() => hashOffThread(hash(password.normalize('NFKC'), options))),
    verify: async (encoded, password) => {
      const isShortEnough = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES
      const candidate = isShortEnough ? password.normalize('NFKC') : DUMMY_PASSWORD
      const isCorrect = await inTurn(async () => hashOffThread(verify(encoded ?? (await dummyHash()), candidate, options)))
      await goOn()
      return isCorrect && isShortEnough && encoded !== null
    },
    needsRehash: (encoded) => !encoded.includes(`$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`),
    queueLength: () => waiting.length,
  }
}
