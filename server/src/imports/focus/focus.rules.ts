import { hash } from 'node:crypto'
import type { Day } from '@counterfoil/contract/kit/day'
import { BadRow, shown } from '../bad-row.ts'
import type { FocusColumn, FocusColumns } from './columns.rules.ts'
import { plainDecimal } from '../../kit/decimal.ts'
import { instantOf } from '../instant.rules.ts'
import { ID_BYTES, NAME_BYTES, present, TEXT_BYTES, textOf } from '../text.rules.ts'
import { periodOf } from './period.rules.ts'
import { costCentreOf } from './tags.rules.ts'

/** One charge of a FOCUS file, in the house's own words. */
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
}

/**
 * A record of a FOCUS 1.0 file as a row.
 * @throws BadRow with the column and the reason
 */
export const focusRow = (columns: FocusColumns, record: readonly string[]): FocusRow => {
  if (record.length !== columns.width) throw new BadRow(`it has ${record.length} columns; the header has ${columns.width}`)
  const optional = (column: FocusColumn, bytes: number): string | null => textOf(column, rawOf(columns, record, column), bytes)
  const needed = (column: FocusColumn, bytes: number): string => {
    const text = optional(column, bytes)
    if (text === null) throw new BadRow(`${column}: it is missing`)
    return text
  }
  const instant = (column: FocusColumn) => instantOf(column, needed(column, NAME_BYTES))
  const used = instant('ChargePeriodStart')
  const account = needed('BillingAccountId', ID_BYTES)
  const subAccount = optional('SubAccountId', ID_BYTES)
  const accountName = optional('BillingAccountName', NAME_BYTES)
  const costCentre = costCentreOf(present(rawOf(columns, record, 'Tags')))
  return {
    key: hash('sha256', JSON.stringify(columns.byName.map((position) => record[position])), 'base64url'),
    customer: subAccount ?? account,
    customerName: subAccount === null ? accountName : optional('SubAccountName', NAME_BYTES),
    account,
    accountName,
    currency: currencyOf(needed('BillingCurrency', NAME_BYTES)),
    service: needed('ServiceName', NAME_BYTES),
    category: needed('ChargeCategory', NAME_BYTES),
    sku: optional('SkuId', ID_BYTES),
    description: optional('ChargeDescription', TEXT_BYTES),
    resource: optional('ResourceId', ID_BYTES),
    resourceName: optional('ResourceName', TEXT_BYTES),
    site: optional('RegionName', NAME_BYTES),
    costCentre: costCentre === null ? null : textOf('Tags', costCentre, NAME_BYTES),
    usedAt: `${used.day} ${used.time}+00`,
    ...periodOf(instant('BillingPeriodStart'), instant('BillingPeriodEnd')),
    units: plainDecimal('ConsumedQuantity', optional('ConsumedQuantity', NAME_BYTES) ?? '0'),
    price: plainDecimal('BilledCost', needed('BilledCost', NAME_BYTES)),
  }
}

const rawOf = ({ at }: FocusColumns, record: readonly string[], column: FocusColumn): string => {
  const position = at.get(column)
  return position === undefined ? '' : (record[position] ?? '')
}

const currencyOf = (text: string): string => {
  if (!/^[A-Z]{3}$/.test(text)) throw new BadRow(`BillingCurrency: ${shown(text)} is not a currency code`)
  return text
}
