import pg from 'pg'

/** A row as PostgreSQL writes it: the text of each column, in the order of the statement. */
export type TextRow = readonly (string | null)[]

/** A statement with its parameters as text. */
export interface TextStatement {
  readonly text: string
  readonly values: TextRow
}

/** The messages of PostgreSQL's extended protocol; pg's types do not have them. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string; types: readonly number[] }): void
  bind(message: { portal: string; statement: string; values: TextRow; binary: boolean }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

type Callback = (error: Error | null, rows: TextRow[][]) => void

/** Statements beyond this number are parsed anew each time, so that a session's memory stays bounded. */
const MAX_STATEMENTS = 500
const names = new Map<string, string>()

const statementName = (text: string): string => {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= MAX_STATEMENTS) return ''
  const name = `b${names.size}`
  names.set(text, name)
  return name
}

/**
 * Several statements as one message with one Sync: PostgreSQL runs them in one transaction of their own, which ends with the message. When
 * one fails, the later ones do not run and everything is rolled back, settings of the transaction included.
 */
export class StatementBatch extends pg.Query {
  readonly #statements: readonly TextStatement[]
  readonly #prepared: Set<string>
  readonly #rows: TextRow[][]
  readonly #callback: Callback
  #completed = 0

  /** @param prepared the names of the statements that the session has prepared; a batch adds its own */
  constructor(statements: readonly TextStatement[], prepared: Set<string>, callback: Callback) {
    super('')
    this.#statements = statements
    this.#prepared = prepared
    this.#rows = statements.map(() => [])
    this.#callback = callback
  }

  override submit = (wire: unknown): null => {
    const connection = wire as Connection
    connection.stream.cork()
    for (const { text, values } of this.#statements) {
      const name = statementName(text)
      if (!this.#prepared.has(name)) {
        connection.close({ type: 'S', name }) // a batch that failed may have prepared it
        connection.parse({ name, text, types: [] })
      }
      connection.bind({ portal: '', statement: name, values, binary: false })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#rows[this.#completed]?.push(fields)
  }

  handleCommandComplete(): void {
    const name = statementName(this.#statements[this.#completed]?.text ?? '')
    if (name !== '') this.#prepared.add(name)
    this.#completed += 1
  }

  handleError(error: Error): void {
    this.#callback(error, [])
  }

  handleReadyForQuery(): void {
    this.#callback(null, this.#rows)
  }
}
