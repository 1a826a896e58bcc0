/** A row of a FOCUS file by column; a missing column has its default. */
export type SampleRow = Readonly<Record<string, string>>

export const COLUMNS = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeDescription',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ConsumedQuantity',
  'ConsumedUnit',
  'RegionName',
  'ResourceId',
  'ResourceName',
  'Id',
  'ServiceName',
  'SkuId',
  'SubAccountId',
  'SubAccountName',
  'Tags',
]

const DEFAULTS: SampleRow = {
  BilledCost: '0.00000080000',
  BillingAccountId: '70001',
  BillingAccountName: 'Larch Cloud',
  BillingCurrency: 'USD',
  BillingPeriodEnd: '2024-10-01 00:00:00',
  BillingPeriodStart: '2024-09-01 00:00:00',
  ChargeCategory: 'Usage',
  ChargeDescription: '$0.40 per million requests',
  ChargePeriodEnd: '2024-09-18 23:00:00',
  ChargePeriodStart: '2024-09-18 22:00:00',
  ConsumedQuantity: '2.000000000000000',
  ConsumedUnit: 'Requests',
  RegionName: 'US West',
  ResourceId: 'queue-1',
  ResourceName: 'NULL',
  ServiceName: 'Queues',
  SkuId: 'SKU-Q1',
  SubAccountId: '501',
  SubAccountName: 'Alder Ltd',
  Tags: 'NULL',
}

/** Text in quotes, numbers and NULL without, as the FinOps Foundation's own sample does. */
const cell = (value: string): string => (value === 'NULL' || /^-?\d+\.\d+$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`)

/** The text of a FOCUS file (CSV) with a header and these rows; missing columns get defaults. */
export const focusCsv = (rows: readonly SampleRow[], columns: readonly string[] = COLUMNS, lineEnd = '\n'): string =>
  [
    columns.map((column) => `"${column}"`),
    ...rows.map((row, at) => columns.map((column) => cell({ ...DEFAULTS, Id: String(9_000 + at), ...row }[column] ?? ''))),
  ]
    .map((cells) => cells.join(',') + lineEnd)
    .join('')

/**
 * 60 rows as real files have them: nine customers, two billing periods, credits, missing values in three spellings, E notation, quoted line
 * ends.
 */
export const sampleRows = (): SampleRow[] => [
  ...Array.from({ length: 40 }, (_, at) => ({
    BilledCost: `${at % 7}.${String(at * 7_919).padStart(11, '0')}`,
    ChargePeriodStart: `2024-09-${String((at % 30) + 1).padStart(2, '0')} 05:00:00`,
    ResourceId: at % 9 === 0 ? 'NULL' : `vm-${at % 5}`,
    ServiceName: at % 2 === 0 ? 'Compute' : 'Block Storage',
    SkuId: at % 2 === 0 ? 'C-1' : `B-${at % 3}`,
    SubAccountId: String(501 + (at % 4)),
    SubAccountName: ['Alder Ltd', 'Birch plc', 'Cedar & Sons', 'Dogwood'][at % 4] ?? '',
    Tags: at % 5 === 0 ? '{"env": "prod", "CostCenter": "CC-77"}' : 'NULL',
  })),
  { ChargeCategory: 'Credit', BilledCost: '-2.61370000000', ConsumedQuantity: 'NULL', ResourceId: 'NULL', SkuId: 'NULL' },
  { BilledCost: '1E-7' },
  { BilledCost: '0.000000000000000001' },
  { BilledCost: '-0.000000000000000003' },
  {
    BillingPeriodStart: '2024-10-01T00:00:00Z',
    BillingPeriodEnd: '2024-11-01T00:00:00Z',
    ChargePeriodStart: '2024-10-02T01:30:00+02:00',
    BilledCost: '4.005',
  },
  { SubAccountId: 'NULL', SubAccountName: 'NULL', BilledCost: '12.5' },
  { SubAccountId: '', SubAccountName: '', BilledCost: '0.25' },
  { SubAccountId: '505', SubAccountName: 'Elm', BilledCost: '-3.10' },
  { SubAccountId: '506', SubAccountName: 'Fir, "the tall"', ChargeDescription: 'two\nlines', BilledCost: '0.004' },
  { SubAccountId: '507', SubAccountName: 'Gingko', BillingCurrency: 'JPY', BilledCost: '100.5' },
  { SubAccountId: '508', SubAccountName: 'Hazel', BilledCost: '0.0049' },
  { SubAccountId: '508', SubAccountName: 'Hazel Renamed', BilledCost: '0.0001', BillingAccountId: '70002' },
  ...Array.from({ length: 8 }, (_, at) => ({ Id: 'equal', BilledCost: '0.10', ResourceId: at < 4 ? 'queue-2' : 'queue-3' })),
]

/** The exact sum of decimals, computed without the code under test. */
export const exactSum = (amounts: readonly string[]): string => {
  const units = amounts.map((amount) => {
    const [mantissa = '', exponent = '0'] = amount.toLowerCase().split('e')
    const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
    const value = BigInt(whole + fraction) * 10n ** BigInt(30 - fraction.length + Number(exponent))
    return amount.startsWith('-') ? -value : value
  })
  const total = units.reduce((sum, unit) => sum + unit, 0n)
  const digits = (total < 0n ? -total : total).toString().padStart(31, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -30)}.${digits.slice(-30)}`.replace(/\.?0+$/, '')
}
