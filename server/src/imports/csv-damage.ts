/** A quote that opens a field and that no other one closes. */
export const UNCLOSED_QUOTE = 'a quote is opened and never closed; the file may have been cut'

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: UNCLOSED_QUOTE,
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote may be missing',
  INVALID_OPENING_QUOTE: 'a quote stands inside a field that is not quoted',
}

/** What is wrong with a CSV record, by the reader's own code for it. */
export const csvErrorReason = (code: string | undefined): string => REASONS[code ?? ''] ?? 'it is not well-formed CSV'
