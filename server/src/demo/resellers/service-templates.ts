import { type BundleProfile, HOURS, type ServiceProfile } from '../profile.ts'

/** The properties in which services of one template differ. */
interface ServiceInput extends Pick<ServiceProfile, 'name' | 'itemLabel' | 'plan' | 'number'> {
  readonly secondNumber?: string
  /** Descriptions of the records, the most frequent first, each with its price per unit. */
  readonly records: readonly (readonly [description: string, rate: string, ...peers: string[]])[]
}

type UnitRange = Pick<ServiceProfile['records'][number], 'minUnits' | 'maxUnits' | 'isFractional'>

/** Makes a demo service of a template. Each of its records is half as frequent as the one before. */
const createService = (
  { records, ...input }: ServiceInput,
  rest: Pick<ServiceProfile, 'agreement' | 'share' | 'unit' | 'hours'>,
  amounts: UnitRange,
): ServiceProfile => ({
  ...input,
  ...rest,
  records: records.map(([description, rate, ...peers], index) => ({ description, rate, peers, weight: 64 / 2 ** index, ...amounts })),
})

/** A demo service of mobile data, in megabytes. */
export const mobileData = (input: ServiceInput): ServiceProfile =>
  createService(
    input,
    { agreement: 0, share: 55, unit: 'MB', hours: HOURS.office },
    { minUnits: 1500, maxUnits: 640_000, isFractional: true },
  )

/** A demo service of telephone calls, in minutes. */
export const calls = (input: ServiceInput): ServiceProfile =>
  createService(
    input,
    { agreement: 1, share: 30, unit: 'minutes', hours: HOURS.office },
    { minUnits: 200, maxUnits: 26_000, isFractional: true },
  )

/** A demo service of messages, by the piece. */
export const messages = (input: ServiceInput): ServiceProfile =>
  createService(
    input,
    { agreement: 1, share: 15, unit: 'messages', hours: HOURS.office },
    { minUnits: 1, maxUnits: 25, isFractional: false },
  )

/** A demo service of fixed lines' traffic, in gigabytes. */
export const fixedTraffic = (input: ServiceInput): ServiceProfile =>
  createService(
    input,
    { agreement: 0, share: 45, unit: 'GB', hours: HOURS.evening },
    { minUnits: 80, maxUnits: 14_000, isFractional: true },
  )

/** A demo service of machines, storage and the like, by the hour. */
export const hosting = (input: ServiceInput): ServiceProfile =>
  createService(
    input,
    { agreement: 1, share: 25, unit: 'hours', hours: HOURS.round },
    { minUnits: 1000, maxUnits: 24_000, isFractional: true },
  )

/** Three demo bundles: nearly used up, less than half used, and exceeded. */
export const bundleTrio = (
  nearlyUsed: readonly [name: string, product: string, quantity: number, unit: string],
  halfUsed: readonly [name: string, product: string, quantity: number, unit: string],
  exceeded: readonly [name: string, product: string, quantity: number, unit: string],
): readonly BundleProfile[] => [
  { name: nearlyUsed[0], products: [{ name: nearlyUsed[1], quantity: nearlyUsed[2], unit: nearlyUsed[3], usedPercent: 82 }] },
  {
    name: halfUsed[0],
    products: [
      { name: halfUsed[1], quantity: halfUsed[2], unit: halfUsed[3], usedPercent: 23.5 },
      { name: nearlyUsed[1], quantity: nearlyUsed[2] / 2, unit: nearlyUsed[3], usedPercent: 48, ofService: 0 },
    ],
  },
  { name: exceeded[0], products: [{ name: exceeded[1], quantity: exceeded[2], unit: exceeded[3], usedPercent: 116 }] },
]
