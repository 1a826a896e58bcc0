import type { Store } from '../../../src/db/database.ts'
import { WriteDetector } from './write-detector.queries.ts'

/** The server died here: nothing of it acts any more. */
class Crash extends Error {}

/** The database let somebody wait too long for a row, as it does on a machine that is worked hard: who asked is told to try again. */
export const isBusy = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** Where a server dies: at its nth effect, before it, after it but before anybody heard, or after it was heard. */
export interface CrashPlan {
  readonly effect: number
  readonly when: 'before' | 'unheard' | 'after'
}

/** What a server does outside of its database goes through here. */
export interface SideEffects {
  runEffect<T>(work: () => Promise<T>): Promise<T>
}

/**
 * A server as far as it acts upon the world: every transaction that writes and every call to a company is an effect, numbered as it comes
 * about. A transaction that only reads is none: to die beside it is to die after the effect before it. Once the server has died it can do
 * nothing more; what it had open is rolled back.
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

  /** How many effects have begun. */
  get effects(): number {
    return this.#effects
  }

  /** Something that happens outside of the database. */
  async runEffect<T>(work: () => Promise<T>): Promise<T> {
    this.#assertAlive()
    const effectNo = (this.#effects += 1)
    this.#crashIfPlanned(effectNo, 'before')
    const result = await work()
    return this.#finish(effectNo, result)
  }

  /** The database as this server reaches it. */
  store(inner: Store): Store {
    return {
      ...inner,
      transact: async (as, work, lane) => {
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
          lane,
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
