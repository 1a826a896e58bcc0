import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An object of a provider's API. */
export interface StoredObject {
  readonly id: string
  readonly object: string
}

interface Line {
  readonly account: string
  readonly id: string
  /** Null when the object was removed. */
  readonly kept: StoredObject | null
}

/**
 * A provider's objects of every account, in `<dir>/<provider>.ndjson`: one line per change, on disk before `put` returns,
 * so that it survives a killed process. Opening the store compacts the file to one line per object.
 */
export class ObjectStore {
  readonly #file: string
  readonly #accounts = new Map<string, Map<string, StoredObject>>()

  /** @throws SyntaxError when a line of the file on disk is not JSON */
  constructor(dir: string, provider: string) {
    mkdirSync(dir, { recursive: true })
    this.#file = join(dir, `${provider}.ndjson`)
    if (!existsSync(this.#file)) return
    const lines = readLines(this.#file)
    for (const line of lines) this.#remember(line)
    const compacted = this.#lines()
    if (compacted.length < lines.length) this.#rewrite(compacted)
  }

  /** Creates or replaces an object. */
  put<Stored extends StoredObject>(account: string, object: Stored): Stored {
    this.#write({ account, id: object.id, kept: object })
    return object
  }

  remove(account: string, id: string): void {
    this.#write({ account, id, kept: null })
  }

  find(account: string, kind: string, id: string): StoredObject | undefined {
    const object = this.#accounts.get(account)?.get(id)
    return object?.object === kind ? object : undefined
  }

  /** All objects of a kind in an account, newest first. */
  all(account: string, kind: string): StoredObject[] {
    return [...(this.#accounts.get(account)?.values() ?? [])].filter(({ object }) => object === kind).toReversed()
  }

  /** Every account that has objects. */
  accounts(): string[] {
    return [...this.#accounts.keys()]
  }

  /** Removes all objects of other kinds, on disk too. */
  keepOnly(kinds: readonly string[]): void {
    const remaining = this.#lines().filter(({ kept }) => kept !== null && kinds.includes(kept.object))
    this.#rewrite(remaining)
    this.#accounts.clear()
    for (const line of remaining) this.#remember(line)
  }

  /** The current state of every object, in the order of creation. */
  #lines(): Line[] {
    return [...this.#accounts].flatMap(([account, objects]) => [...objects.values()].map((kept): Line => ({ account, id: kept.id, kept })))
  }

  /** Replaces the file atomically. */
  #rewrite(lines: readonly Line[]): void {
    writeFileSync(`${this.#file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    renameSync(`${this.#file}.new`, this.#file)
  }

  #write(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
    this.#remember(line)
  }

  #remember({ account, id, kept }: Line): void {
    const objects = this.#accounts.get(account) ?? new Map<string, StoredObject>()
    this.#accounts.set(account, objects)
    if (kept === null) objects.delete(id)
    else objects.set(id, kept)
  }
}

/** The lines of the file; a cut-off last line is removed from disk. @throws SyntaxError when any other line is not JSON */
const readLines = (file: string): Line[] => {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  // An incomplete last line was cut off while it was written, before its change was acknowledged.
  if (end < bytes.length) truncateSync(file, end)
  return bytes
    .toString('utf8', 0, end)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}
