import { type DestinationStream, type Logger, pino } from 'pino'
import { CARD_LIKE } from './card-number.ts'

export type Log = Logger

const SECRET_LIKE = /(password|secret|token|authorization|cookie|cvc|cvv)(["'\s:=]+)[^\s"',}]+/gi

/** The last line of defence: makes secrets unreadable that should never have reached a log. */
const scrub = (text: string): string => text.replace(CARD_LIKE, '[number]').replace(SECRET_LIKE, '$1$2[sealed]')

const serializeError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  return { type: error.name, message: scrub(error.message), stack: scrub(error.stack ?? ''), ...code, ...cause }
}

/**
 * Writes JSON lines, by default to standard output. Callers log route templates, ids, status and milliseconds; never bodies, queries or
 * tokens.
 */
export const openLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } }, to)
