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

/** FOCUS 1.0 lets a provider leave these out. */
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

/** Where a file keeps what. */
export interface FocusColumns {
  readonly width: number
  /** The position of a column; undefined where the file does not have it. */
  readonly positions: ReadonlyMap<string, number>
  /** Every position, in the order of the columns' names: the order in which a row is recognised. */
  readonly byName: readonly number[]
}

/**
 * Reads the header. Columns may stand in any order, and others than FOCUS's own are welcome.
 * @throws OperatorError that names what is missing or stands there twice
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
