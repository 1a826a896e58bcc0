import { type BundleProfile, HOURS, type ServiceProfile } from '../profile.ts'

/** What the members of a family of services differ in. */
interface Named extends Pick<ServiceProfile, 'name' | 'itemLabel' | 'plan' | 'number'> {
  readonly secondNumber?: string
  /** Descriptions of the records, the most frequent first, each with its price per unit. */
  readonly records: readonly (readonly [description: string, rate: string, ...peers: string[]])[]
}

type Amounts = Pick<ServiceProfile['records'][number], 'least' | 'most' | 'fine'>

/** Every record is half as frequent as the one before it. */
const service = (
  { records, ...named }: Named,
  rest: Pick<ServiceProfile, 'agreement' | 'share' | 'unit' | 'hours'>,
  amounts: Amounts,
): ServiceProfile => ({
  ...named,
  ...rest,
  records: records.map(([description, rate, ...peers], index) => ({ description, rate, peers, weight: 64 / 2 ** index, ...amounts })),
})

/** Mobile data in megabytes. */
export const mobileData = (named: Named): ServiceProfile =>
  service(named, { agreement: 0, share: 55, unit: 'MB', hours: HOURS.office }, { least: 1500, most: 640_000, fine: true })

/** Calls in minutes. */
export const calls = (named: Named): ServiceProfile =>
  service(named, { agreement: 1, share: 30, unit: 'minutes', hours: HOURS.office }, { least: 200, most: 26_000, fine: true })

/** Messages by the piece. */
export const messages = (named: Named): ServiceProfile =>
  service(named, { agreement: 1, share: 15, unit: 'messages', hours: HOURS.office }, { least: 1, most: 25, fine: false })

/** Traffic of fixed lines in gigabytes. */
export const fixedTraffic = (named: Named): ServiceProfile =>
  service(named, { agreement: 0, share: 45, unit: 'GB', hours: HOURS.evening }, { least: 80, most: 14_000, fine: true })

/** Machines, storage and the like, by the hour. */
export const hosting = (named: Named): ServiceProfile =>
  service(named, { agreement: 1, share: 25, unit: 'hours', hours: HOURS.round }, { least: 1000, most: 24_000, fine: true })

/** Three bundles: one that is nearly used up, one with room, and one that has been passed. */
export const bundleTrio = (
  near: readonly [name: string, product: string, quantity: number, unit: string],
  under: readonly [name: string, product: string, quantity: number, unit: string],
  over: readonly [name: string, product: string, quantity: number, unit: string],
): readonly BundleProfile[] => [
  { name: near[0], products: [{ name: near[1], quantity: near[2], unit: near[3], usedPercent: 82 }] },
  {
    name: under[0],
    products: [
      { name: under[1], quantity: under[2], unit: under[3], usedPercent: 23.5 },
      { name: near[1], quantity: near[2] / 2, unit: near[3], usedPercent: 48, ofService: 0 },
    ],
  },
  { name: over[0], products: [{ name: over[1], quantity: over[2], unit: over[3], usedPercent: 116 }] },
]
