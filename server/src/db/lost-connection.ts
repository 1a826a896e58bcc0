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
 * connection.
 */
export class UsageUnreachable extends Error {
  readonly code = '08006'

  constructor(options?: ErrorOptions) {
    super('usage cannot be reached: the worker that has it does not answer', options)
  }
}
