import type { Store } from '../../../src/db/database.ts'
import type { PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { WriteDetector } from './write-detector.queries.ts'

/** The server crashed here and does nothing more. */
class Crash extends Error {}

/** A lock timeout, as on a busy machine: the caller is told to try again. */
export const isBusy = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** When a server crashes: before its nth side effect, after it but before the result is seen, or after that. */
export interface CrashPlan {
  readonly effect: number
  readonly when: 'before' | 'unheard' | 'after'
}

/** Every side effect outside the database goes through this. */
export interface SideEffects {
  runEffect<T>(work: () => Promise<T>): Promise<T>
}

/** A server, and what its payments work with. */
export interface Server {
  readonly process: ServerProcess
  readonly payments: PaymentsDeps
}

/**
 * A server by its side effects: every writing transaction and every provider call is one, numbered in order. A read-only transaction is
 * none: crashing beside it equals crashing after the previous side effect. A crashed server does nothing more, and its open transactions
 * roll back.
 */
export class ServerProcess implements SideEffects {
  #isDead = false
  #effects = 0
  readonly #plan: CrashPlan | null

  constructor(plan: CrashPlan | null) {
    this.#plan = plan
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** How many side effects have begun. */
  get effects(): number {
    return this.#effects
  }

  /** A side effect outside the database. */
  async runEffect<T>(work: () => Promise<T>): Promise<T> {
    this.#assertAlive()
    const effectNo = (this.#effects += 1)
    this.#crashIfPlanned(effectNo, 'before')
    const result = await work()
    return this.#finish(effectNo, result)
  }

  /** The store as this server uses it. */
  store(inner: Store): Store {
    return {
      ...inner,
      transact: async (as, work, options) => {
        this.#assertAlive()
        let effectNo = 0
        const result = await inner.transact(
          as,
          async (db) => {
            const detector = new WriteDetector()
            const done = await work(db.withPlugin(detector))
            this.#assertAlive()
            if (!detector.hasWritten) return done
            effectNo = this.#effects += 1
            this.#crashIfPlanned(effectNo, 'before')
            return done
          },
          options,
        )
        return this.#finish(effectNo, result)
      },
    }
  }

  #assertAlive(): void {
    if (this.#isDead) throw new Crash()
  }

  #finish<T>(effectNo: number, result: T): T {
    this.#crashIfPlanned(effectNo, 'unheard')
    if (this.#isPlanned(effectNo, 'after')) this.#isDead = true
    return result
  }

  #crashIfPlanned(effectNo: number, when: CrashPlan['when']): void {
    if (this.#isPlanned(effectNo, when)) this.#isDead = true
    this.#assertAlive()
  }

  #isPlanned(effectNo: number, when: CrashPlan['when']): boolean {
    return this.#plan?.effect === effectNo && this.#plan.when === when
  }
}
