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
type Answered = (error: unknown, answer: unknown) => void

/** A statement and its parameters. */
export type Question = readonly [text: string, values: readonly unknown[]]

/**
 * A connection that prepares every statement with parameters once and runs it by its name from then on: planning a page over
 * two dozen partitions costs several times what reading it does. For PostgreSQL alone: the embedded engine has one session for all clients.
 */
export class PreparingClient extends pg.Client {
  /** May several questions be under way at once? */
  readonly isPipelined: boolean

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.isPipelined = typeof config === 'object' && 'pipeline' in config && config.pipeline === true
    const ask: Asked = (...asked) => Reflect.apply(pg.Client.prototype.query, this, asked)
    const prepared: Asked = (text, values, callback) => {
      const asked = named(text, values, callback)
      return typeof text === 'string' && callback === undefined && typeof values !== 'function' ? promised(ask, asked) : ask(...asked)
    }
    this.query = prepared as typeof this.query
  }

  /**
   * Sends these as one message and gives their answers. When one fails, those behind it are asked all the same: inside a transaction
   * they are refused.
   * @param goes `with others`: with what other requests ask on this connection in the same moment, in one write
   * @throws what the first of them failed with
   */
  async together(questions: readonly Question[], goes: 'at once' | 'with others'): Promise<pg.QueryResult[]> {
    this.#wire.cork()
    const asked = questions.map(([text, values]) => (values.length === 0 ? this.query(text) : this.query(text, [...values])))
    if (goes === 'at once') this.#wire.uncork()
    else setImmediate(() => this.#wire.uncork())
    const answers = await Promise.allSettled(asked)
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
  }

  /** The socket, which pg's types keep to themselves. */
  get #wire(): Writable {
    return (this as unknown as { connection: { stream: Writable } }).connection.stream
  }
}

/**
 * Pg's own promise keeps a question, its text and its answer in memory until the next major collection, so that each comes sooner
 * (measured with pg 8.23 on Node 24: 730 bytes a question instead of 26).
 */
const promised = (ask: Asked, [text, values]: readonly unknown[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const answered: Answered = (error, answer) => (error ? reject(error) : resolve(answer))
    ask(text, values, answered)
  }).catch((error: unknown) => {
    if (error instanceof Error) Error.captureStackTrace(error) // from the socket to who asked
    throw error
  })

const named = (text: unknown, values: unknown, callback: unknown): [unknown, unknown?, unknown?] => {
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return [text, values, callback]
  const name = nameOf(text)
  return [name === undefined ? { text, values } : { text, values, name }, callback]
}
