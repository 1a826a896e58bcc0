import { type DestinationStream, type Logger, pino } from 'pino'
import { CARD_LIKE } from './card-number.ts'

export type Log = Logger

const SECRET_LIKE = /(password|secret|token|authorization|cookie|cvc|cvv)(["'\s:=]+)[^\s"',}]+/gi

/** The last line of defence: what should never have reached a log leaves it unreadable. */
const scrubbed = (words: string): string => words.replace(CARD_LIKE, '[number]').replace(SECRET_LIKE, '$1$2[sealed]')

const errorParts = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: scrubbed(String(error)) }
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: errorParts(error.cause) }
  return { type: error.name, message: scrubbed(error.message), stack: scrubbed(error.stack ?? ''), ...code, ...cause }
}

/** JSON lines, on standard output unless they are to go elsewhere. Callers name what they log: route template, ids, status, ms; never bodies, queries or tokens. */
export const openLog = (level: string, to: DestinationStream = pino.destination(1)): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorParts } }, to)
