import { OperatorError } from '../../kit/api-error.ts'
import type { Separator } from '../csv-lines.ts'

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

/** A provider may omit these; InvoiceId came with FOCUS 1.2. */
const OPTIONAL = [
  'BillingAccountName',
  'ChargeDescription',
  'ConsumedQuantity',
  'InvoiceId',
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
  readonly header: readonly string[]
  /** The position of each column of the file. */
  readonly positions: ReadonlyMap<string, number>
  /** The positions sorted by column name, so that a row's key does not depend on the order of the columns. */
  readonly byName: readonly number[]
  /** The positions of columns without a name, which must be empty. A single one may have values, and counts in the key as it always did. */
  readonly unnamed: readonly number[]
  /** Whether a point may separate thousands: where the columns are not separated by commas. */
  readonly hasUnclearPoints: boolean
  /** The columns that are kept with a record as they are. */
  readonly extras: readonly (readonly [name: string, position: number])[]
}

/**
 * Finds the columns of a file by its header. Columns may have any order; unknown ones are allowed.
 * @throws OperatorError that names what is missing or duplicated
 */
export const parseFocusHeader = (line: number, header: readonly string[], separator: Separator = ','): FocusColumns => {
  const names = header.map((name) => name.trim())
  const positions = new Map(names.map((name, position) => [name, position]))
  const missing = REQUIRED.filter((name) => !positions.has(name))
  if (missing.length > 0) throw new OperatorError(`line ${line}: ${missingColumns(names, missing)}`)
  const duplicate = names.find((name, position) => name !== '' && positions.get(name) !== position)
  if (duplicate !== undefined) throw new OperatorError(`line ${line}: the header names the column ${duplicate} twice`)
  const nameless = names.flatMap((name, position) => (name === '' ? [position] : []))
  const unnamed = nameless.length === 1 && separator === ',' ? [] : nameless
  return {
    header: names,
    positions,
    byName: names
      .map((_, position) => position)
      .filter((position) => !unnamed.includes(position))
      .toSorted((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1)),
    unnamed,
    hasUnclearPoints: separator !== ',',
    extras: findExtras(names),
  }
}

/** What is wrong with a header that lacks columns, in words for whoever made the file: missing, or spelt with other capital letters. */
const missingColumns = (names: readonly string[], missing: readonly string[]): string => {
  const lowerCase = new Map(names.map((name) => [name.toLowerCase(), name]))
  const misspelt = missing.flatMap((name) => lowerCase.get(name.toLowerCase()) ?? [])
  if (misspelt.length > 0)
    return `the header writes ${misspelt.join(', ')}, and FOCUS ${missing.filter((name) => lowerCase.has(name.toLowerCase())).join(', ')}: capital letters matter`
  return `the header lacks ${missing.join(', ')}, which FOCUS requires`
}

/** The columns of FOCUS 1.0. */
const COLUMNS_OF_1_0: ReadonlySet<string> = new Set([
  ...REQUIRED,
  ...OPTIONAL.filter((name) => name !== 'InvoiceId'),
  'AvailabilityZone',
  'ChargeClass',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'CommitmentDiscountCategory',
  'CommitmentDiscountId',
  'CommitmentDiscountName',
  'CommitmentDiscountStatus',
  'CommitmentDiscountType',
  'ConsumedUnit',
  'ContractedCost',
  'ContractedUnitPrice',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'ListUnitPrice',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'RegionId',
  'ResourceType',
  'ServiceCategory',
  'SkuPriceId',
])

/** Columns that a version of FOCUS brought, newest first. */
const COLUMNS_OF_VERSIONS: readonly (readonly [version: string, columns: readonly string[]])[] = [
  [
    '1.3',
    [
      'AllocatedMethodDetails',
      'AllocatedMethodId',
      'AllocatedResourceId',
      'AllocatedResourceName',
      'AllocatedTags',
      'ContractApplied',
      'HostProviderName',
      'ServiceProviderName',
    ],
  ],
  [
    '1.2',
    [
      'BillingAccountType',
      'InvoiceId',
      'PricingCurrency',
      'PricingCurrencyContractedUnitPrice',
      'PricingCurrencyEffectiveCost',
      'PricingCurrencyListUnitPrice',
      'SubAccountType',
    ],
  ],
  [
    '1.1',
    [
      'CapacityReservationId',
      'CapacityReservationStatus',
      'CommitmentDiscountQuantity',
      'CommitmentDiscountUnit',
      'ServiceSubcategory',
      'SkuMeter',
      'SkuPriceDetails',
    ],
  ],
]

/** The newest version of FOCUS that has columns of this file: 1.0 to 1.3. */
export const focusVersion = ({ positions }: FocusColumns): string =>
  COLUMNS_OF_VERSIONS.find(([, columns]) => columns.some((name) => positions.has(name)))?.[0] ?? '1.0'

/**
 * The columns of a file that are kept with a record as they are: every named one that is neither of FOCUS 1.0 nor InvoiceId. They are those
 * of later versions and the provider's own.
 */
const findExtras = (names: readonly string[]): (readonly [name: string, position: number])[] =>
  names
    .map((name, position) => [name, position] as const)
    .filter(([name]) => name !== '' && name !== 'InvoiceId' && !COLUMNS_OF_1_0.has(name))
