import type { Writable } from 'node:stream'
import pg from 'pg'

/** Beyond so many different texts a statement is not given a name any more, so that a connection's memory stays bounded. */
const MOST_STATEMENTS = 1_000
const names = new Map<string, string>()

const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known !== undefined || names.size >= MOST_STATEMENTS) return known
  const name = `q${names.size}`
  names.set(text, name)
  return name
}

type Asked = (text: unknown, values?: unknown, callback?: unknown) => unknown

/** What the opening of a transaction answers to whoever waits for it. */
const OPENED = { command: 'BEGIN', rowCount: null, rows: [], fields: [], oid: 0 }

/**
 * A connection that prepares every statement with parameters once and runs it by its name from then on: planning a page over
 * two dozen partitions costs several times what reading it does. For PostgreSQL alone: the embedded engine has one session for all clients.
 */
export class PreparingClient extends pg.Client {
  #isHolding = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const ask: Asked = (...asked) => Reflect.apply(pg.Client.prototype.query, this, asked)
    const prepared: Asked = (text, values, callback) => {
      if (isPipelined(config) && isOpening(text)) return this.#hold(() => ask(text) as Promise<unknown>)
      const answer = ask(...named(text, values, callback))
      this.#send()
      return answer
    }
    this.query = prepared as typeof this.query
  }

  /**
   * Keeps the opening of a transaction back until its first statement, and sends both as one message. Should the opening fail, the
   * transaction it began is in error and refuses that statement: `begin` stands first in it, so nothing can run outside.
   */
  #hold(open: () => Promise<unknown>): Promise<unknown> {
    this.#isHolding = true
    this.#wire.cork()
    void open().catch(() => undefined) // the first statement fails with it, and tells
    return Promise.resolve(OPENED)
  }

  #send(): void {
    if (!this.#isHolding) return
    this.#isHolding = false
    this.#wire.uncork()
  }

  /** The socket, which pg's types keep to themselves. */
  get #wire(): Writable {
    return (this as unknown as { connection: { stream: Writable } }).connection.stream
  }
}

const isPipelined = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && 'pipeline' in config && config.pipeline === true

const isOpening = (text: unknown): boolean => typeof text === 'string' && text.startsWith('begin')

const named = (text: unknown, values: unknown, callback: unknown): [unknown, unknown?, unknown?] => {
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return [text, values, callback]
  const name = nameOf(text)
  return [name === undefined ? { text, values } : { text, values, name }, callback]
}
