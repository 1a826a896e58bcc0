import { ApiError } from '../kit/api-error.ts'

const LOST_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'])

/**
 * Whether an error says that the database went away, or takes no connections.
 * During a commit the database may have stored the transaction all the same; whoever must know reads it again.
 */
export const isLostConnection = (error: unknown): boolean => {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return (
    /^(08|57P)/.test(code) ||
    LOST_CODES.has(code) ||
    /\bterminated\b|is not queryable|timeout exceeded when trying to connect/i.test(message)
  )
}

/**
 * Usage cannot be read or written, because the machine that has it does not answer; everything else goes on. Its code is that of a lost
 * connection. Without a cause it was not even tried.
 */
export class UsageUnreachable extends Error {
  readonly code = '08006'

  constructor(options?: ErrorOptions) {
    super('usage cannot be reached: the worker that has it does not answer', options)
  }
}

/** Too many wait for usage of one machine. Its code is that of too many connections. */
export class UsageBusy extends Error {
  readonly code = '53300'

  constructor() {
    super('too many wait for usage of one worker')
  }
}

/** What a lost connection is told as where usage is distributed: as a rule its worker has gone, and everything else is there. */
export const toUsageError = (error: unknown): unknown =>
  error instanceof ApiError || !isLostConnection(error) ? error : new UsageUnreachable({ cause: error })
