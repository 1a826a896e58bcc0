/** A row that cannot be imported. The message has the reasons, for the person who has the file. */
export class BadRow extends Error {
  readonly reasons: readonly string[]

  constructor(...reasons: readonly string[]) {
    super(reasons.join('; '))
    this.reasons = reasons
  }
}

/** A row that was not imported: the line on which it starts, and the reason. */
export interface RejectedRow {
  /** The file, where an import has several. */
  readonly file?: string
  readonly line: number
  readonly reason: string
}

/**
 * Runs every step, even after a failed one, so that a row is refused once and with all of its mistakes.
 * @throws BadRow with the reasons of those that fail; any other error at once
 */
export const doAll = (steps: readonly (() => unknown)[]): void => {
  const reasons: string[] = []
  for (const step of steps)
    try {
      step()
    } catch (error) {
      if (!(error instanceof BadRow)) throw error
      reasons.push(...error.reasons)
    }
  if (reasons.length > 0) throw new BadRow(...new Set(reasons))
}

const MAX_EXCERPT_LENGTH = 40

/** Quotes a value for a message: shortened, on one line, without control characters. */
export const quoteValue = (value: string): string => {
  const short = value.length > MAX_EXCERPT_LENGTH ? `${value.slice(0, MAX_EXCERPT_LENGTH)}…` : value
  return `"${short.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')}"`
}
