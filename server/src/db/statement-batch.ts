import pg from 'pg'
import { types } from './value-types.ts'

/** A row as PostgreSQL writes it: the text of each column, in the order of the statement. */
export type RawRow = readonly (string | null)[]

/** A statement with its parameters as PostgreSQL reads them: text, or bytes. */
export interface RawStatement {
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  /** False: it is parsed anew each time, because its text is hardly ever the same. Default true. */
  readonly isNamed?: boolean
}

/** A column of a statement's rows, with what makes a value of its text. */
export interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** The columns of the statements that a session has prepared, by their names. */
export type PreparedColumns = Map<string, readonly Column[]>

/** What a statement of a batch answered. */
export interface BatchResult {
  readonly columns: readonly Column[]
  readonly rows: RawRow[]
  /** As in `UPDATE 1`. */
  readonly command: string
}

/** The messages of PostgreSQL's extended protocol; pg's types do not have them. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string; types: readonly number[] }): void
  bind(message: { portal: string; statement: string; values: RawStatement['values']; binary: boolean }): void
  describe(message: { type: 'S'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

type Callback = (error: Error | null, results: BatchResult[]) => void

/** Statements beyond this number are parsed anew each time, so that a session's memory stays bounded. */
const MAX_STATEMENTS = 500
const names = new Map<string, string>()

/** The name under which sessions prepare a statement; empty for one that is parsed anew each time, and for one beyond MAX_STATEMENTS. */
const statementName = ({ text, isNamed = true }: RawStatement): string => {
  if (!isNamed) return ''
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
  readonly #statements: readonly RawStatement[]
  readonly #prepared: PreparedColumns
  readonly #results: BatchResult[] = []
  readonly #callback: Callback
  #columns: readonly Column[] = []
  #rows: RawRow[] = []

  /** @param prepared what the session has prepared; a batch adds its own */
  constructor(statements: readonly RawStatement[], prepared: PreparedColumns, callback: Callback) {
    super('')
    this.#statements = statements
    this.#prepared = prepared
    this.#callback = callback
  }

  override submit = (wire: unknown): null => {
    const connection = wire as Connection
    connection.stream.cork()
    for (const statement of this.#statements) {
      const { text, values } = statement
      const name = statementName(statement)
      if (!this.#prepared.has(name)) {
        connection.close({ type: 'S', name }) // a batch that failed may have prepared it
        connection.parse({ name, text, types: [] })
        connection.describe({ type: 'S', name })
      }
      connection.bind({ portal: '', statement: name, values, binary: false })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') }))
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#statements[this.#results.length]
    const name = statement === undefined ? '' : statementName(statement)
    const columns = this.#prepared.get(name) ?? this.#columns
    if (name !== '') this.#prepared.set(name, columns)
    this.#results.push({ columns, rows: this.#rows, command: text })
    this.#columns = []
    this.#rows = []
  }

  handleError(error: Error): void {
    this.#callback(error, [])
  }

  handleReadyForQuery(): void {
    this.#callback(null, this.#results)
  }
}
