/** A row that cannot be imported. The message is the reason, for the person who has the file. */
export class BadRow extends Error {}

/** A row that was not imported: the line on which it starts, and the reason. */
export interface RejectedRow {
  /** The file, where an import has several. */
  readonly file?: string
  readonly line: number
  readonly reason: string
}

const MAX_EXCERPT_LENGTH = 40

/** Quotes a value for a message: shortened, on one line, without control characters. */
export const quoteValue = (value: string): string => {
  const short = value.length > MAX_EXCERPT_LENGTH ? `${value.slice(0, MAX_EXCERPT_LENGTH)}…` : value
  return `"${short.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')}"`
}
