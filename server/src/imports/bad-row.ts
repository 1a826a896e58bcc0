/** A row that cannot be imported; the message is the reason, fit for the person who has the file. */
export class BadRow extends Error {}

/** A row that was not imported: the line it begins on, and why. */
export interface RejectedRow {
  readonly line: number
  readonly reason: string
}

const MAX_EXCERPT_LENGTH = 40

/** A value as a message may show it: short, quoted, on one line, and unable to steer a terminal. */
export const quoteValue = (value: string): string => {
  const short = value.length > MAX_EXCERPT_LENGTH ? `${value.slice(0, MAX_EXCERPT_LENGTH)}…` : value
  return `"${short.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')}"`
}
