import { createHash } from 'node:crypto'
import { exactToUnits, toExact, toShortText } from '@counterfoil/contract/kit/decimal'
import { currencyDigits } from '@counterfoil/contract/kit/money'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import { type FocusRow, TAX_CATEGORY } from './focus.rules.ts'
import { decompress } from '../decompress.ts'
import { type FocusFile, forEachPart, partName } from './export-parts.ts'
import { type FocusFileHead, focusRows } from './focus-rows.ts'
import type { Progress } from '../progress.ts'

/** A customer of the file. When rows contradict each other, the last one counts. */
interface FileCustomer {
  readonly customer: string
  readonly label: string
  readonly currency: string
  /** The name of the billing account, or its id. */
  readonly account: string
}

/** What the file has charges for: a customer's billing period, and in it the provider's invoice where the file names one. */
export interface FileBill {
  readonly customer: string
  readonly startsOn: string
  readonly endsOn: string
  readonly number: string | null
}

/** The summary of a checked file. It grows with the number of customers, services and invoices, not of rows. */
export interface CheckedFile {
  /** Of FOCUS: 1.0 to 1.3. */
  readonly version: string
  readonly rows: number
  /** The rows of `rows` that are taxes. */
  readonly taxRows: number
  /** The first bad rows in the order of the file, and the number of all. */
  readonly rejected: readonly RejectedRow[]
  readonly rejectedCount: number
  /** In the order of the file. */
  readonly customers: readonly FileCustomer[]
  readonly bills: readonly FileBill[]
  /** The names of services and taxes, as they stand on invoices. */
  readonly chargeNames: ReadonlySet<string>
  /** Currency → BilledCost in units of 10^-18, of the good rows. */
  readonly sums: ReadonlyMap<string, bigint>
  /** How many numbers were rounded to 18 decimals, half to even, by their column. */
  readonly rounded: { readonly BilledCost: number; readonly ConsumedQuantity: number }
  /** Hints about unusual data that is not an error. */
  readonly notes: readonly string[]
}

const MAX_REJECTED_ROWS = 1_000

/**
 * Reads the files of a FOCUS export and checks every row; bad rows are listed, not thrown. Writes nothing.
 * @throws OperatorError when the files hold no rows, two are the same, one has no usable header or cannot be read, or the sums are too
 * large
 */
export const checkFile = async (
  parts: readonly FocusFile[],
  currencies: ReadonlyMap<string, string>,
  progress: Progress,
): Promise<CheckedFile> => {
  const tally = createTally()
  const known = new Map(currencies)
  const versions: string[] = []
  const notes: string[] = []
  const contents = new Map<string, string>()
  await forEachPart(parts, async (part) => {
    const name = partName(parts, part)
    const ending = watchFile(decompress(progress.countBytes(part.open()), 'Parquet'))
    let isText = true
    const onHead = ({ version, rows }: FocusFileHead): void => {
      versions.push(version)
      isText = rows === null
      if (rows !== null && parts.length === 1) progress.expectRows(rows)
    }
    const rejected: RejectedRow[] = []
    let hasRows = false
    for await (const line of focusRows(ending.bytes, known, onHead)) {
      hasRows = true
      if ('row' in line) tally.accept(line.row, line.line, name)
      else if (tally.reject()) rejected.push(name === undefined ? line : { file: name, ...line })
      progress.row()
    }
    if (name !== undefined && hasRows) assertNew(contents, name, ending.digest())
    tally.list(rejected.toSorted((a, b) => a.line - b.line))
    if (isText && !ending.isLineEnd())
      notes.push(`The last line of ${name ?? 'the file'} has no line end; if the file was cut, its last row may be short.`)
  })
  const file = tally.file()
  if (file.rows + file.rejectedCount === 0) throw new OperatorError('The file holds no rows; there is nothing to import.')
  assertSumsFit(file.sums)
  return { ...file, version: versions.toSorted().at(-1) ?? '', notes: [...file.notes, ...notes] }
}

const [LF, CR] = [10, 13]

/** @throws OperatorError when another file of the export has the same content: a copy of it lies beside it */
const assertNew = (contents: Map<string, string>, name: string, digest: string): void => {
  const other = contents.get(digest)
  if (other !== undefined) throw new OperatorError(`${other} and ${name} have the same content; their rows would be billed twice.`)
  contents.set(digest, name)
}

/**
 * Passes the bytes of a file on (`bytes`), and once they have passed, tells a digest of them and whether the file ends as a line should.
 */
const watchFile = (source: AsyncIterable<Uint8Array>) => {
  let last: number | undefined
  let hasLineFeeds = false
  const digest = createHash('sha256')
  return {
    bytes: (async function* () {
      for await (const chunk of source) {
        last = chunk.at(-1) ?? last
        hasLineFeeds ||= chunk.includes(LF)
        digest.update(chunk)
        yield chunk
      }
    })(),
    digest: () => digest.digest('hex'),
    isLineEnd: () => last === undefined || last === LF || (last === CR && !hasLineFeeds),
  }
}

/** Makes what sums up the rows of a file: counts, customers, bills, sums by currency and notes. */
const createTally = () => {
  let rows = 0
  let taxRows = 0
  let rejectedCount = 0
  const rejected: RejectedRow[] = []
  const customers = new Map<string, FileCustomer>()
  const bills = new Map<string, FileBill>()
  const chargeNames = new Set<string>()
  const sums = new Map<string, bigint>()
  const renamed = new Map<string, string>()
  const spanning = new Set<string>()
  const accounts = new Map<string, string>()
  const rounded = { BilledCost: 0, ConsumedQuantity: 0 }
  let unreadableTags = 0
  let firstUnreadableTags = ''

  const noteCustomer = (row: FocusRow): void => {
    const { customer, currency } = row
    const known = customers.get(customer)
    const label = row.customerName ?? known?.label ?? customer
    if (known !== undefined && known.label !== label && known.label !== customer) renamed.set(customer, label)
    const firstAccount = accounts.get(customer) ?? row.account
    if (firstAccount !== row.account) spanning.add(customer)
    const account = row.accountName ?? row.account
    if (known?.label === label && known.account === account) return
    accounts.set(customer, firstAccount)
    customers.set(customer, { customer, label, currency, account })
  }

  return {
    accept: (row: FocusRow, line: number, file: string | undefined): void => {
      rows += 1
      for (const column of row.rounded) rounded[column] += 1
      if (row.hasUnreadableTags) {
        unreadableTags += 1
        firstUnreadableTags ||= file === undefined ? `line ${line}` : `line ${line} of ${file}`
      }
      if (row.category === TAX_CATEGORY) taxRows += 1
      chargeNames.add(row.category === TAX_CATEGORY ? (row.description ?? '') : row.service)
      noteCustomer(row)
      const { customer, startsOn, endsOn, invoiceNumber: number } = row
      const bill = `${startsOn}/${endsOn}/${JSON.stringify([customer, number])}`
      if (!bills.has(bill)) bills.set(bill, { customer, startsOn, endsOn, number })
      sums.set(row.currency, (sums.get(row.currency) ?? 0n) + toExact(row.price))
    },
    /** @returns whether the row is to be listed */
    reject: (): boolean => {
      rejectedCount += 1
      return rejectedCount <= MAX_REJECTED_ROWS
    },
    list: (found: readonly RejectedRow[]): void => void rejected.push(...found),
    file: (): Omit<CheckedFile, 'version'> => ({
      rows,
      taxRows,
      rejected,
      rejectedCount,
      customers: [...customers.values()],
      bills: [...bills.values()],
      chargeNames,
      sums,
      rounded,
      notes: [
        ...renamedNote(renamed),
        ...spanningNote(spanning),
        ...roundedNote(rounded),
        ...(unreadableTags > 0 ? [unreadableTagsNote(unreadableTags, firstUnreadableTags)] : []),
      ],
    }),
  }
}

/** The note that a customer has several names in the file; empty without one. */
const renamedNote = (renamed: ReadonlyMap<string, string>): string[] =>
  [...renamed].slice(0, 1).map(([customer, label]) => {
    const others = renamed.size > 1 ? `, and ${renamed.size - 1} more likewise` : ''
    return `Customer ${customer} has more than one name in the file; the last one stands: ${label}${others}.`
  })

/** The note that a customer stands under several billing accounts; empty without one. */
const spanningNote = (spanning: ReadonlySet<string>): string[] =>
  [...spanning].slice(0, 1).map((customer) => {
    const others = spanning.size > 1 ? `, and so do ${spanning.size - 1} more` : ''
    return `Customer ${customer} stands under more than one billing account${others}; each is one customer, under the last account.`
  })

/** A list of one note, which says how many numbers of each column were rounded; an empty list where none was. */
const roundedNote = ({ BilledCost: costs, ConsumedQuantity: quantities }: CheckedFile['rounded']): string[] => {
  const counted = [
    ...(costs > 0 ? [`${costs.toLocaleString('en')} of BilledCost`] : []),
    ...(quantities > 0 ? [`${quantities.toLocaleString('en')} of ConsumedQuantity`] : []),
  ]
  return counted.length === 0 ? [] : [`Numbers with more than 18 decimals were rounded to these, half to even: ${counted.join(', ')}.`]
}

/** The note of how many rows have Tags that cannot be read. */
const unreadableTagsNote = (rows: number, first: string): string =>
  `The Tags of ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} cannot be read, so that no cost centre comes of them; the first is ${first}.`

/** @throws OperatorError when the sum of a currency, in minor units, is not below 2^53, as invoice amounts must be */
const assertSumsFit = (sums: ReadonlyMap<string, bigint>): void => {
  for (const [currency, sum] of sums) {
    const minor = exactToUnits(sum, currencyDigits(currency))
    if (!Number.isSafeInteger(Number(minor)))
      throw new OperatorError(`The charges add up to ${currency} ${toShortText(sum)}; that is more than an invoice can hold.`)
  }
}
