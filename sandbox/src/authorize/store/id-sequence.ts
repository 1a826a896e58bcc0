import { randomInt } from 'node:crypto'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'

interface LastId extends StoredObject {
  readonly last: number
}

/** No login id is longer than 25 characters, so this is nobody's account. */
const NO_ACCOUNT = 'the sandbox itself, no merchant'
const FIRST_ID = 40_000_000_000
const RANDOM_RANGE = 20_000_000_000

/** Ascending ids of eleven digits, none of them given twice, even after a restart or a reset. */
export class IdSequence {
  readonly #objects: ObjectStore

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  next(): string {
    const stored = this.#objects.find(NO_ACCOUNT, 'last_id', 'last_id') as LastId | undefined
    // The random start keeps the ids of two sandboxes apart.
    const last = (stored?.last ?? FIRST_ID + randomInt(RANDOM_RANGE)) + 1
    this.#objects.put<LastId>(NO_ACCOUNT, { id: 'last_id', object: 'last_id', last })
    return String(last)
  }
}
