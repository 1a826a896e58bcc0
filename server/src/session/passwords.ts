import { availableParallelism } from 'node:os'
import { PASSWORD_MAX_BYTES } from '@counterfoil/contract/kit/password'
import type { Keys } from '../kit/keys.ts'
import { ApiError } from '../kit/api-error.ts'
import { workerPool } from '../kit/worker-pool.ts'
import type { HashTask, VerifyTask } from './password-thread.ts'

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
  /** Finishes the accepted passwords and ends the threads. */
  close(): Promise<void>
}

/** Hashed for unknown users, to take the same time. */
const DUMMY_PASSWORD = 'nobody has this password'
/** An idle thread ends after this time. */
const IDLE_TIMEOUT_MS = 60_000
/** Added to the threads' nice value, so that requests and the database run before them (docs/decisions/0010). */
const NICE_INCREMENT = 10

/** Hashes passwords in threads of their own, one for each core, behind a bounded queue. The threads start with the first password. */
export const createPasswords = (
  keys: Keys,
  { maxThreads = availableParallelism(), maxQueue = 50, cost = ARGON2 }: { maxThreads?: number; maxQueue?: number; cost?: HashCost } = {},
): Passwords => {
  const options = { ...cost, secret: keys.mac('pepper') } // Argon2id is the library's default algorithm
  const pool = workerPool({
    program: new URL('./password-thread.ts', import.meta.url).href,
    maxThreads,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    niceIncrement: NICE_INCREMENT,
  })

  const assertQueueNotFull = (): void => {
    if (pool.load().waiting < maxQueue) return
    throw new ApiError('sign_in_busy', 'Too many people are signing in just now. Please try again in a moment.', { retryAfter: 5 })
  }
  const hash = (password: string): Promise<string> => pool.run('hashPassword', { password, options } satisfies HashTask)

  let dummy: Promise<string> | undefined
  const dummyHash = async (): Promise<string> => {
    dummy ??= hash(DUMMY_PASSWORD)
    try {
      return await dummy
    } catch (error) {
      dummy = undefined // the next unknown user tries again
      throw error
    }
  }

  return {
    hash: async (password) => {
      assertQueueNotFull()
      return hash(password.normalize('NFKC'))
    },
    verify: async (encoded, password) => {
      assertQueueNotFull()
      const isShortEnough = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES
      const candidate = isShortEnough ? password.normalize('NFKC') : DUMMY_PASSWORD
      const task: VerifyTask = { encoded: encoded ?? (await dummyHash()), password: candidate, options }
      const isCorrect = await pool.run<boolean>('verifyPassword', task)
      return isCorrect && isShortEnough && encoded !== null
    },
    needsRehash: (encoded) => !encoded.includes(`$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`),
    queueLength: () => pool.load().waiting,
    close: pool.close,
  }
}
