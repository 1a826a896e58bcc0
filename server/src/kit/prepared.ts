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

/**
 * A connection that prepares every statement with parameters once and runs it by its name from then on: planning a page over
 * two dozen partitions costs several times what reading it does. For PostgreSQL alone: the embedded engine has one session for all clients.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const ask: Asked = (...asked) => Reflect.apply(pg.Client.prototype.query, this, asked)
    const prepared: Asked = (text, values, callback) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return ask(text, values, callback)
      const name = nameOf(text)
      return ask(name === undefined ? { text, values } : { text, values, name }, callback)
    }
    this.query = prepared as typeof this.query
  }
}
