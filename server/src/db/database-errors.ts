import { join } from 'node:path'
import { OperatorError } from '../kit/api-error.ts'
import { connectionErrorText } from '../kit/system-errors.ts'

const TRY_AGAIN = 'Try again in a moment.'
const FIX_URL = 'Correct DATABASE_URL.'

/** What the database answered, by SQLSTATE: what is wrong, and what to do. */
const ANSWERS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  '08P01': ['it does not speak as PostgreSQL does', FIX_URL],
  '25006': ['it only reads, as a standby does', 'Name the primary in DATABASE_URL.'],
  '28000': ['the user may not sign in from this machine', 'Have an administrator allow it (pg_hba.conf, alter role … login).'],
  '28P01': ['the password is wrong', FIX_URL],
  '3D000': ['there is no database of that name', 'Have an administrator create it, or correct DATABASE_URL.'],
  '3F000': ['it has no schema public', 'Have an administrator run in it: create schema public'],
  '40P01': ['two transactions wait for one another', TRY_AGAIN],
  '42501': ['a right is missing', 'counterfoil doctor prints the statements that an administrator must run.'],
  '53100': ['its disk is full', 'Make room there.'],
  '53200': ['it has no memory left', 'Give it more, or stop what else needs it.'],
  '53300': ['it has no connection left', 'Close some, or have an administrator raise max_connections.'],
  '55000': ['it takes no connections', 'Have an administrator allow them (alter database … allow_connections true).'],
  '55P03': ['something else holds what is needed', TRY_AGAIN],
  '57014': ['it took too long, or somebody stopped it', TRY_AGAIN],
  '57P01': ['it is stopping', TRY_AGAIN],
  '57P02': ['it has crashed and starts again', TRY_AGAIN],
  '57P03': ['it is starting or stopping', TRY_AGAIN],
  '58030': ['its disk reports a fault', 'Look at its disk; restore a backup if files are lost.'],
  '58P01': ['a file of it is missing', 'Look at its disk; restore a backup if files are lost.'],
  XX001: ['its files are damaged', 'Restore a backup.'],
  XX002: ['an index of it is damaged', 'Have an administrator run reindex, or restore a backup.'],
}

/** Where PostgreSQL's own words say which right, and of what. */
const WITH_ITS_WORDS: ReadonlySet<string> = new Set(['42501', '53100', '53200', '55000'])

/** What the client library says without a code when the database has answered something that it cannot use. */
const MISMATCHES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/unsupported startup parameter/i, 'a connection pooler stands before it, which refuses a setting that DATABASE_URL names'],
  [/does not support SSL/i, 'it does not speak TLS, which DATABASE_URL asks for'],
  [/client password must be/i, 'it asks for a password, and DATABASE_URL has none'],
]

/** What the client library says without a code of a connection that did not come about, or broke. */
const BREAKS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/timeout exceeded when trying to connect|due to connection timeout/i, 'it does not answer'],
  [/^Connection terminated|is not queryable/i, 'the connection broke'],
]

/** Why the database was not reached; undefined for any other error. A broken pipe may as well be that of the command's own output. */
const breakReason = (error: unknown, code: string, message: string): string | undefined => {
  if (code === 'EPIPE') return undefined
  if (code.startsWith('08')) return 'the connection broke'
  return connectionErrorText(error) ?? (code === '' ? BREAKS.find(([pattern]) => pattern.test(message))?.[1] : undefined)
}

export interface DatabaseTrouble {
  /** False when nobody answered. */
  readonly isReached: boolean
  readonly reason: string
  readonly remedy: string
}

/** What is wrong with the database, from an error that it or the way to it made; undefined for any other error. */
export const databaseTrouble = (error: unknown): DatabaseTrouble | undefined => {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const mismatch = code === '' || code === '08P01' ? MISMATCHES.find(([pattern]) => pattern.test(message))?.[1] : undefined
  if (mismatch !== undefined) return { isReached: true, reason: mismatch, remedy: FIX_URL }
  const [reason, remedy = ''] = ANSWERS[code] ?? []
  if (reason !== undefined) return { isReached: true, reason: WITH_ITS_WORDS.has(code) ? `${reason}: ${message}` : reason, remedy }
  const lost = breakReason(error, code, message)
  return lost === undefined ? undefined : { isReached: false, reason: lost, remedy: 'Check DATABASE_URL and that the server runs.' }
}

/** The database is stopping, starting, or has no connection left for the moment. */
const PASSING: ReadonlySet<string> = new Set(['53300', '57P01', '57P02', '57P03'])

/** Whether what is wrong with the database may mend by itself: it is away, or takes no connections yet. */
export const isPassingTrouble = (error: unknown): boolean =>
  databaseTrouble(error)?.isReached === false || PASSING.has(((error ?? {}) as { code?: string }).code ?? '')

/** The settings that lead to the database. */
interface DatabasePlace {
  /** Null for the embedded one, in the data folder. */
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** What is wrong with the database of these settings, as a sentence; undefined when the error is not about the database. */
export const explainDatabaseError = (error: unknown, { databaseUrl, dataDir }: DatabasePlace): string | undefined => {
  const trouble = databaseTrouble(error)
  if (trouble === undefined || error instanceof OperatorError) return undefined
  const { isReached, reason, remedy } = trouble
  if (databaseUrl === null) return `The embedded database in ${join(dataDir, 'database')} cannot be used: ${reason}. ${remedy}`
  const { host, pathname } = new URL(databaseUrl)
  return `The database ${pathname.slice(1)} at ${host} cannot be ${isReached ? 'used' : 'reached'}: ${reason}. ${remedy}`
}

/** Runs `work`. @throws OperatorError that says what is wrong with the database, instead of the database's error */
export const explainDatabaseErrors = async <T>(config: DatabasePlace, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const explanation = explainDatabaseError(error, config)
    if (explanation === undefined) throw error
    throw new OperatorError(explanation, { cause: error })
  }
}
