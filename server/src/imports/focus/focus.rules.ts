import { hash } from 'node:crypto'
import type { Day } from '@counterfoil/contract/kit/day'
import { BadRow, quoteValue } from '../bad-row.ts'
import { assertNoValues, inColumns } from '../columns.rules.ts'
import type { FocusColumn, FocusColumns } from './columns.rules.ts'
import { assertOneMeaning, plainDecimal, QUANTITY_DIGITS } from '../plain-decimal.rules.ts'
import { parseInstant } from '../instant.rules.ts'
import { MAX_ID_BYTES, MAX_NAME_BYTES, toNullIfAbsent, MAX_TEXT_BYTES, parseText } from '../text.rules.ts'
import { periodOf } from './period.rules.ts'
import { costCentreOf } from './tags.rules.ts'

/** The ChargeCategory of rows that become taxes of their invoice instead of usage. */
export const TAX_CATEGORY = 'Tax'

/** One charge of a FOCUS file. */
export interface FocusRow {
  /** A digest over all columns: equal rows have equal keys. */
  readonly key: string
  /** SubAccountId, or BillingAccountId where there is no sub-account. */
  readonly customer: string
  readonly customerName: string | null
  readonly account: string
  readonly accountName: string | null
  readonly currency: string
  readonly service: string
  readonly category: string
  readonly sku: string | null
  readonly description: string | null
  readonly resource: string | null
  readonly resourceName: string | null
  readonly site: string | null
  readonly costCentre: string | null
  /** An instant in UTC as PostgreSQL reads it. */
  readonly usedAt: string
  readonly startsOn: Day
  readonly endsOn: Day
  /** Exact plain decimals with at most 18 decimals. */
  readonly units: string
  readonly price: string
  /** The provider's number of the invoice; null when the file has none. */
  readonly invoiceNumber: string | null
  /** The values of columns that have no place of their own, by column; null when there are none. */
  readonly extras: Readonly<Record<string, string>> | null
  /** The columns whose numbers were rounded to 18 decimals, half to even. */
  readonly rounded: readonly ('BilledCost' | 'ConsumedQuantity')[]
  /** Whether the tags are such that no cost centre can be read from them. */
  readonly hasUnreadableTags: boolean
}

/** Parses and checks the fields of a record of a FOCUS file (any ChargeCategory). @throws BadRow with the reason for each bad column */
export const parseFocusRow = (columns: FocusColumns, fields: readonly string[]): FocusRow => {
  const record = fields.length === columns.header.length ? fields : inColumns(fields, columns.header)
  assertNoValues(record, columns.unnamed)
  const reasons: string[] = []
  /** Reads a column; one that is bad has a value that is never used. */
  const read = <T>(column: FocusColumn, bytes: number, convert: (text: string | null) => T): T | null => {
    try {
      return convert(parseText(column, rawValue(columns, record, column), bytes))
    } catch (error) {
      if (!(error instanceof BadRow)) throw error
      reasons.push(...error.reasons)
      return null
    }
  }
  const needed = <T>(column: FocusColumn, bytes: number, convert: (text: string) => T): T | null =>
    read(column, bytes, (text) => {
      if (text === null) throw new BadRow(`${column}: it is missing`)
      return convert(text)
    })
  const optional = (column: FocusColumn, bytes: number): string | null => read(column, bytes, (text) => text)
  const required = (column: FocusColumn, bytes: number): string => needed(column, bytes, (text) => text) ?? ''
  const instant = (column: FocusColumn) => needed(column, MAX_NAME_BYTES, (text) => parseInstant(column, text))
  const rounded: FocusRow['rounded'][number][] = []
  const decimal = (column: FocusRow['rounded'][number], text: string, limits: { readonly wholeDigits?: number } = {}): string => {
    if (columns.hasUnclearPoints) assertOneMeaning(column, text)
    return plainDecimal(column, text, { ...limits, onRounded: () => void rounded.push(column) })
  }
  const used = instant('ChargePeriodStart')
  const account = required('BillingAccountId', MAX_ID_BYTES)
  const subAccount = optional('SubAccountId', MAX_ID_BYTES)
  const accountName = optional('BillingAccountName', MAX_NAME_BYTES)
  const costCentre = costCentreOf(toNullIfAbsent(rawValue(columns, record, 'Tags')))
  const periodStart = instant('BillingPeriodStart')
  const row = {
    key: hash('sha256', JSON.stringify(columns.byName.map((position) => record[position])), 'base64url'),
    customer: subAccount ?? account,
    customerName: subAccount === null ? accountName : optional('SubAccountName', MAX_NAME_BYTES),
    account,
    accountName,
    currency: needed('BillingCurrency', MAX_NAME_BYTES, parseCurrency) ?? '',
    service: required('ServiceName', MAX_NAME_BYTES),
    category: required('ChargeCategory', MAX_NAME_BYTES),
    sku: optional('SkuId', MAX_ID_BYTES),
    description: optional('ChargeDescription', MAX_TEXT_BYTES),
    resource: optional('ResourceId', MAX_ID_BYTES),
    resourceName: optional('ResourceName', MAX_TEXT_BYTES),
    site: optional('RegionName', MAX_NAME_BYTES),
    costCentre: costCentre ?? null,
    hasUnreadableTags: costCentre === undefined,
    usedAt: `${used?.day} ${used?.time}+00`,
    period: needed('BillingPeriodEnd', MAX_NAME_BYTES, (text) => {
      const end = parseInstant('BillingPeriodEnd', text)
      return periodStart === null ? null : periodOf(periodStart, end)
    }),
    units:
      read('ConsumedQuantity', MAX_NAME_BYTES, (text) => decimal('ConsumedQuantity', text ?? '0', { wholeDigits: QUANTITY_DIGITS })) ?? '0',
    price: needed('BilledCost', MAX_NAME_BYTES, (text) => decimal('BilledCost', text)) ?? '0',
    rounded,
    invoiceNumber: optional('InvoiceId', MAX_NAME_BYTES),
    extras: extrasOf(columns, record),
  }
  const { period, ...others } = row
  if (reasons.length > 0 || period === null) throw new BadRow(...reasons)
  return { ...others, ...period }
}

const MAX_EXTRA_LENGTH = 10_000

/**
 * The values of the columns that are kept as they are; null without any. Longer values are cut: a column that we do not know must not stop
 * a bill.
 */
const extrasOf = ({ extras }: FocusColumns, record: readonly string[]): Record<string, string> | null => {
  const found = extras.flatMap(([name, position]) => {
    const text = toNullIfAbsent(record[position] ?? '')
    if (text === null) return []
    return [[name, text.length > MAX_EXTRA_LENGTH ? `${text.slice(0, MAX_EXTRA_LENGTH).toWellFormed()}…` : text] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

/** The text of a column; empty where the file lacks the column. */
const rawValue = ({ positions }: FocusColumns, record: readonly string[], column: FocusColumn): string => {
  const position = positions.get(column)
  return position === undefined ? '' : (record[position] ?? '')
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A currency code. @throws BadRow when ISO 4217 has no such code */
const parseCurrency = (text: string): string => {
  if (!CURRENCIES.has(text)) throw new BadRow(`BillingCurrency: ${quoteValue(text)} is not a currency of ISO 4217`)
  return text
}
