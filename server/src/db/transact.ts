import type { Db, TransactOptions } from './database.ts'

/** Runs work in one transaction. */
export type Transact = <T>(work: (db: Db) => Promise<T>, options?: TransactOptions) => Promise<T>
