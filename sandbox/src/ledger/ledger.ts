import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderName } from '../providers.ts'

/** What became of the money: a debit is `pending` until it settles, and may be `returned` after it succeeded. */
type LedgerStatus = 'pending' | 'succeeded' | 'failed' | 'returned' | 'refunded'

/** A charge, refund or debit as a stand-in books it. */
export interface Booking {
  readonly provider: ProviderName
  /** The provider's own id of it, unique within the provider. */
  readonly id: string
  /** What the caller sent to recognise it by. */
  readonly reference: string
  /** Whole minor units. */
  readonly amount: number
  /** ISO 4217, in capitals. */
  readonly currency: string
  readonly status: LedgerStatus
  /** `card`, or the name of the kind of debit. */
  readonly method: string
}

/** A booking with the instant of its last change, ISO 8601 in UTC. */
export type LedgerEntry = Booking & { readonly at: string }

/**
 * Every charge, refund and debit that a stand-in has booked, kept in `<dir>/ledger.ndjson`: one line for each booking, never rewritten.
 * A line is on disk before `book` returns, so it outlives a killed process.
 */
export class Ledger {
  readonly #file: string
  readonly #entries = new Map<string, LedgerEntry>()

  /** @throws Error when a line of the file on disk is no ledger entry */
  constructor(dir: string) {
    mkdirSync(dir, { recursive: true })
    this.#file = join(dir, 'ledger.ndjson')
    if (existsSync(this.#file)) for (const entry of entriesIn(this.#file)) this.#keep(entry)
  }

  /**
   * Books money, or the new status of money booked before under the same provider and id.
   * @throws RangeError when the amount is not whole minor units or the currency not three capitals
   */
  book(booking: Booking): LedgerEntry {
    if (!Number.isSafeInteger(booking.amount)) throw new RangeError(`An amount is in whole minor units, not ${booking.amount}.`)
    if (!/^[A-Z]{3}$/.test(booking.currency)) throw new RangeError(`A currency is three capitals, not "${booking.currency}".`)
    const entry = { ...booking, at: new Date().toISOString() }
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
    this.#keep(entry)
    return entry
  }

  /** One entry for each provider's id with its latest status, in the order of first booking. */
  list(): readonly LedgerEntry[] {
    return [...this.#entries.values()]
  }

  /** Empties the ledger and its file. */
  reset(): void {
    writeFileSync(this.#file, '')
    this.#entries.clear()
  }

  #keep(entry: LedgerEntry): void {
    this.#entries.set(`${entry.provider} ${entry.id}`, entry)
  }
}

const entriesIn = (file: string): LedgerEntry[] => {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  // What follows the last line's end was cut off while it was written, so nobody has heard of it.
  if (end < bytes.length) truncateSync(file, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  return lines.map((line, index) => {
    const entry = parsed(line)
    if (!isEntry(entry))
      throw new Error(
        `Line ${index + 1} of ${file} is not a ledger entry. Mend that line, or remove the file to begin with an empty ledger.`,
      )
    return entry
  })
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const TEXT_FIELDS = ['provider', 'id', 'reference', 'currency', 'status', 'method', 'at'] as const

const isEntry = (value: unknown): value is LedgerEntry =>
  typeof value === 'object' &&
  value !== null &&
  'amount' in value &&
  Number.isSafeInteger(value.amount) &&
  TEXT_FIELDS.every((field) => typeof (value as Partial<Record<string, unknown>>)[field] === 'string')
