import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Anything that Stripe keeps. */
export interface Kept {
  readonly id: string
  readonly object: string
}

interface Line {
  readonly account: string
  readonly id: string
  /** Null: it is gone. */
  readonly kept: Kept | null
}

/**
 * Everything that the stand-in remembers of every account, in `<dir>/stripe.ndjson`: one line for each change, on disk before `put` returns,
 * so that it outlives a killed process. A start leaves one line for each thing that there is.
 */
export class Archive {
  readonly #file: string
  readonly #accounts = new Map<string, Map<string, Kept>>()

  /** @throws SyntaxError when a line of the file on disk is not JSON */
  constructor(dir: string) {
    mkdirSync(dir, { recursive: true })
    this.#file = join(dir, 'stripe.ndjson')
    if (!existsSync(this.#file)) return
    const lines = linesIn(this.#file)
    for (const line of lines) this.#remember(line)
    const kept = this.#lines()
    if (kept.length < lines.length) this.#rewrite(kept)
  }

  /** Keeps a thing, or its newest state. */
  put<Thing extends Kept>(account: string, thing: Thing): Thing {
    this.#write({ account, id: thing.id, kept: thing })
    return thing
  }

  /** Forgets a thing. */
  remove(account: string, id: string): void {
    this.#write({ account, id, kept: null })
  }

  /** The thing of that kind and id in that account. */
  find(account: string, kind: string, id: string): Kept | undefined {
    const kept = this.#accounts.get(account)?.get(id)
    return kept?.object === kind ? kept : undefined
  }

  /** All things of a kind in an account, newest first. */
  all(account: string, kind: string): Kept[] {
    return [...(this.#accounts.get(account)?.values() ?? [])].filter(({ object }) => object === kind).toReversed()
  }

  /** Every account that has anything. */
  accounts(): string[] {
    return [...this.#accounts.keys()]
  }

  /** Forgets everything but the kinds named, on disk too. */
  keepOnly(kinds: readonly string[]): void {
    const stay = this.#lines().filter(({ kept }) => kept !== null && kinds.includes(kept.object))
    this.#rewrite(stay)
    this.#accounts.clear()
    for (const line of stay) this.#remember(line)
  }

  /** Everything that is kept, each thing in its newest state and in the order in which it was made. */
  #lines(): Line[] {
    return [...this.#accounts].flatMap(([account, things]) => [...things.values()].map((kept): Line => ({ account, id: kept.id, kept })))
  }

  /** Puts another file in place of the one that there is, whole or not at all. */
  #rewrite(lines: readonly Line[]): void {
    writeFileSync(`${this.#file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    renameSync(`${this.#file}.new`, this.#file)
  }

  #write(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
    this.#remember(line)
  }

  #remember({ account, id, kept }: Line): void {
    const things = this.#accounts.get(account) ?? new Map<string, Kept>()
    this.#accounts.set(account, things)
    if (kept === null) things.delete(id)
    else things.set(id, kept)
  }
}

const linesIn = (file: string): Line[] => {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  // What follows the last line's end was cut off while it was written, so nobody has heard of it.
  if (end < bytes.length) truncateSync(file, end)
  return bytes
    .toString('utf8', 0, end)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}
