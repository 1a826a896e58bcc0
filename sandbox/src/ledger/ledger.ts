import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderName } from '../provider-names.ts'

/** A debit is `pending` until it settles, and may be `returned` after it succeeded. */
type LedgerStatus = 'pending' | 'succeeded' | 'failed' | 'returned' | 'refunded'

/** A charge, refund or debit as a provider books it. */
export interface Booking {
  readonly provider: ProviderName
  /** The provider's id, unique within the provider. */
  readonly id: string
  /** The caller's own reference. */
  readonly reference: string
  /** In minor units of ISO 4217, however the provider writes amounts. */
  readonly amount: number
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly status: LedgerStatus
  /** `card`, or the direct debit type. */
  readonly method: string
}

/** A booking with the time of its last change, ISO 8601 in UTC. */
export type LedgerEntry = Booking & { readonly at: string }

/**
 * Every charge, refund and debit that a provider booked, in `<dir>/ledger.ndjson`: one line per booking, never rewritten.
 * A line is on disk before `book` returns, so that it survives a killed process.
 */
export class Ledger {
  readonly #file: string
  readonly #entries = new Map<string, LedgerEntry>()

  /** @throws Error when a line of the file is not a ledger entry */
  constructor(dir: string) {
    mkdirSync(dir, { recursive: true })
    this.#file = join(dir, 'ledger.ndjson')
    if (existsSync(this.#file)) for (const entry of readEntries(this.#file)) this.#remember(entry)
  }

  /**
   * Books money, or the new status of what the same provider booked under the same id.
   * @throws RangeError when the amount is not an integer or the currency not three upper-case letters
   */
  book(booking: Booking): LedgerEntry {
    if (!Number.isSafeInteger(booking.amount)) throw new RangeError(`An amount is in whole minor units, not ${booking.amount}.`)
    if (!/^[A-Z]{3}$/.test(booking.currency)) throw new RangeError(`A currency is three capitals, not "${booking.currency}".`)
    const entry = { ...booking, at: new Date().toISOString() }
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
    this.#remember(entry)
    return entry
  }

  /** One entry per provider and id with its latest status, in the order of the first booking. */
  list(): readonly LedgerEntry[] {
    return [...this.#entries.values()]
  }

  /** Empties the ledger and its file. */
  reset(): void {
    writeFileSync(this.#file, '')
    this.#entries.clear()
  }

  #remember(entry: LedgerEntry): void {
    this.#entries.set(`${entry.provider} ${entry.id}`, entry)
  }
}

/** The entries of the file; a cut-off last line is removed from disk. @throws Error when any other line is not an entry */
const readEntries = (file: string): LedgerEntry[] => {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  // An incomplete last line was cut off while it was written, before the booking was acknowledged.
  if (end < bytes.length) truncateSync(file, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  return lines.map((line, index) => {
    const entry = parseLine(line)
    if (!isEntry(entry))
      throw new Error(
        `Line ${index + 1} of ${file} is not a ledger entry. Repair that line, or remove the file to start with an empty ledger.`,
      )
    return entry
  })
}

/** The JSON value of a line; undefined when it is not JSON. */
const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const TEXT_FIELDS = ['provider', 'id', 'reference', 'currency', 'status', 'method', 'at'] as const

/** Whether a parsed line has the texts of an entry and an amount in whole minor units. */
const isEntry = (value: unknown): value is LedgerEntry =>
  typeof value === 'object' &&
  value !== null &&
  'amount' in value &&
  Number.isSafeInteger(value.amount) &&
  TEXT_FIELDS.every((field) => typeof (value as Partial<Record<string, unknown>>)[field] === 'string')
