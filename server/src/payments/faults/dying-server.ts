import type { Store } from '../../kit/db.ts'

/** The server died here: nothing of it acts any more. */
class Crash extends Error {}

/** Where a server dies: at its nth effect, before it, after it but before anybody heard, or after it was heard. */
export interface CrashPlan {
  readonly effect: number
  readonly when: 'before' | 'unheard' | 'after'
}

/**
 * A server as far as it acts upon the world: every transaction, every call to a company and every letter is an effect, numbered as it
 * begins. Once it has died it can do nothing more; what it had open is rolled back.
 */
export class ServerProcess {
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
    const mine = this.#begin()
    this.#reach(mine, 'before')
    const result = await work()
    return this.#heard(mine, result)
  }

  /** The database as this server reaches it; each transaction is one effect. */
  store(of: Store): Store {
    return {
      ...of,
      transact: async (as, work, lane) => {
        const mine = this.#begin()
        const result = await of.transact(
          as,
          async (db) => {
            const done = await work(db)
            this.#reach(mine, 'before')
            return done
          },
          lane,
        )
        return this.#heard(mine, result)
      },
    }
  }

  #begin(): number {
    if (this.#isDead) throw new Crash()
    return (this.#effects += 1)
  }

  #heard<T>(mine: number, result: T): T {
    this.#reach(mine, 'unheard')
    if (this.#isPlanned(mine, 'after')) this.#isDead = true
    return result
  }

  #reach(mine: number, when: CrashPlan['when']): void {
    if (this.#isPlanned(mine, when)) this.#isDead = true
    if (this.#isDead) throw new Crash()
  }

  #isPlanned(mine: number, when: CrashPlan['when']): boolean {
    return this.#plan?.effect === mine && this.#plan.when === when
  }
}
