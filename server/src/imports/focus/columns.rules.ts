import { OperatorError } from '../../kit/api-error.ts'

const REQUIRED = [
  'BilledCost',
  'BillingAccountId',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargePeriodStart',
  'ServiceName',
] as const

/** FOCUS 1.0 allows a provider to omit these. */
const OPTIONAL = [
  'BillingAccountName',
  'ChargeDescription',
  'ConsumedQuantity',
  'RegionName',
  'ResourceId',
  'ResourceName',
  'SkuId',
  'SubAccountId',
  'SubAccountName',
  'Tags',
] as const

export type FocusColumn = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

/** The columns of a file. */
export interface FocusColumns {
  readonly width: number
  /** The position of each column of the file. */
  readonly positions: ReadonlyMap<string, number>
  /** All positions sorted by column name, so that a row's key does not depend on the order of the columns. */
  readonly byName: readonly number[]
}

/**
 * Parses the header. Columns may have any order; unknown ones are allowed.
 * @throws OperatorError that names what is missing or duplicated
 */
export const parseFocusHeader = (line: number, header: readonly string[]): FocusColumns => {
  const names = header.map((name) => name.trim())
  const positions = new Map(names.map((name, position) => [name, position]))
  const missing = REQUIRED.filter((name) => !positions.has(name))
  if (missing.length > 0) throw new OperatorError(`line ${line}: the header lacks ${missing.join(', ')}, which FOCUS 1.0 requires`)
  const duplicate = names.find((name, position) => positions.get(name) !== position)
  if (duplicate !== undefined)
    throw new OperatorError(`line ${line}: the header names the column ${duplicate === '' ? 'without a name' : duplicate} twice`)
  return {
    width: names.length,
    positions,
    byName: names.map((_, position) => position).toSorted((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1)),
  }
}
