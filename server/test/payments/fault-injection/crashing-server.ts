import type { Store } from '../../../src/db/database.ts'
import { WriteWatch } from './write-detector.queries.ts'

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
export interface Effects {
  effect<T>(work: () => Promise<T>): Promise<T>
}

/**
 * A server as far as it acts upon the world: every transaction that writes and every call to a company is an effect, numbered as it comes
 * about. A transaction that only reads is none: to die beside it is to die after the effect before it. Once the server has died it can do
 * nothing more; what it had open is rolled back.
 */
export class ServerProcess implements Effects {
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
  async effect<T>(work: () => Promise<T>): Promise<T> {
    this.#live()
    const mine = (this.#effects += 1)
    this.#reach(mine, 'before')
    const result = await work()
    return this.#heard(mine, result)
  }

  /** The database as this server reaches it. */
  store(of: Store): Store {
    return {
      ...of,
      transact: async (as, work, lane) => {
        this.#live()
        let mine = 0
        const result = await of.transact(
          as,
          async (db) => {
            const watch = new WriteWatch()
            const done = await work(db.withPlugin(watch))
            this.#live()
            if (!watch.hasWritten) return done
            mine = this.#effects += 1
            this.#reach(mine, 'before')
            return done
          },
          lane,
        )
        return this.#heard(mine, result)
      },
    }
  }

  #live(): void {
    if (this.#isDead) throw new Crash()
  }

  #heard<T>(mine: number, result: T): T {
    this.#reach(mine, 'unheard')
    if (this.#isPlanned(mine, 'after')) this.#isDead = true
    return result
  }

  #reach(mine: number, when: CrashPlan['when']): void {
    if (this.#isPlanned(mine, when)) this.#isDead = true
    this.#live()
  }

  #isPlanned(mine: number, when: CrashPlan['when']): boolean {
    return this.#plan?.effect === mine && this.#plan.when === when
  }
}
