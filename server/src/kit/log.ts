import { type DestinationStream, type Logger, pino } from 'pino'
import { CARD_LIKE } from './card-number.ts'

export type Log = Logger

const SECRET_LIKE = /(password|secret|token|authorization|cookie|cvc|cvv)(["'\s:=]+)[^\s"',}]+/gi

/** A text with what looks like a card number or a secret made unreadable: the last line of defence before a log. */
const scrub = (text: string): string => text.replace(CARD_LIKE, '[number]').replace(SECRET_LIKE, '$1$2[sealed]')

/** An error as the log writes it, scrubbed, with its code and causes. */
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
