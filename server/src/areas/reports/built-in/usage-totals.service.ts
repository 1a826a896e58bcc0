import type { Day } from '@counterfoil/contract/kit/day'
import { toExact } from '@counterfoil/contract/kit/decimal'
import { type ReportContext, ReportFailure } from './built-in-report.service.ts'
import {
  itemCostCentres,
  itemsByName,
  type NamedItem,
  recordTypesByName,
  servicesByName,
  usageDays,
  type UsageSum,
  usageSums,
} from './usage-totals.queries.ts'

/** One line of summed usage; units and price are whole numbers of 10^-18. */
export interface UsageLine {
  readonly service: string
  readonly serviceItem: string | null
  readonly description: string | null
  readonly recordType: string
  readonly costCentre: string | null
  readonly records: number
  readonly units: bigint
  readonly price: bigint
}

/** The lines of a report. Sums are in memory; lines are created one by one as they are read. */
export interface UsageLines {
  readonly count: number
  sortedLines(): Iterable<UsageLine>
}

export interface UsageTotalsQuery {
  readonly days: { readonly from: Day; readonly to: Day } | null
  readonly serviceId: number | null
  readonly agreementId: number | null
  readonly byCostCentre: boolean
  /** Limits memory: all lines are held while they are summed. */
  readonly maxLines: number
}

type Group = Pick<UsageSum, 'serviceId' | 'recordTypeId' | 'serviceItemId' | 'costCentre'> & {
  records: number
  units: bigint
  price: bigint
}

const NO_COST_CENTRES: ReadonlyMap<number | null, string | null> = new Map()

/**
 * Sums a customer's usage exactly, ordered by cost centre (none last), service, service item (none last) and record type. The cost centre is
 * that of the record, else the current one of its service item.
 * Reads slices of days in short statements; records loaded meanwhile may or may not be included.
 * @throws ReportFailure when there are more lines than `maxLines`
 */
export const sumUsage = async (context: ReportContext, query: UsageTotalsQuery): Promise<UsageLines> => {
  const groups = new Map<string, Group>()
  const { transact, scope } = context
  const { serviceId, agreementId, byCostCentre } = query
  const centreOfItem = byCostCentre ? await transact((db) => itemCostCentres(db, scope), { pool: 'background' }) : NO_COST_CENTRES
  for (const span of await readSpans(context, query)) {
    const sums = await transact((db) => usageSums(db, scope, { ...span, serviceId, agreementId }, byCostCentre), {
      pool: 'background',
      usage: 'primary',
    })
    for (const sum of sums) addToGroup(groups, { ...sum, costCentre: sum.costCentre ?? centreOfItem.get(sum.serviceItemId) ?? null })
    if (groups.size > query.maxLines) throw new ReportFailure('too_large', `the report has more than ${query.maxLines} lines`)
  }
  return nameGroups(context, [...groups.values()])
}

/** Splits the days that have usage into spans of about one slice of records each, oldest first. */
const readSpans = async (
  { transact, scope, sliceRecords }: ReportContext,
  { days }: UsageTotalsQuery,
): Promise<{ from: Day; to: Day }[]> => {
  const spans: { from: Day; to: Day }[] = []
  let recordsInSpan = Number.POSITIVE_INFINITY
  for (const { day, records } of await transact((db) => usageDays(db, scope, days), { pool: 'background', usage: 'primary' })) {
    const last = spans.at(-1)
    if (last !== undefined && recordsInSpan + records <= sliceRecords) {
      last.to = day
      recordsInSpan += records
    } else {
      spans.push({ from: day, to: day })
      recordsInSpan = records
    }
  }
  return spans
}

/** Adds a sum to its group in `groups`; the same group may have a sum in each span. */
const addToGroup = (groups: Map<string, Group>, sum: UsageSum): void => {
  const { serviceId, recordTypeId, serviceItemId, costCentre } = sum
  const key = `${serviceId} ${recordTypeId} ${serviceItemId} ${costCentre ?? '\n'}`
  const known = groups.get(key)
  const [units, price] = [toExact(sum.units), toExact(sum.price)]
  if (known === undefined) {
    groups.set(key, { serviceId, recordTypeId, serviceItemId, costCentre, records: sum.records, units, price })
  } else {
    known.records += sum.records
    known.units += units
    known.price += price
  }
}

/** The sort position and the name of each key. */
type Ranks<Name> = ReadonlyMap<number | string | null, { readonly at: number; readonly name: Name }>

/** Numbers things in the order given, by key. */
const rankBy = <Thing, Name>(things: readonly Thing[], key: (thing: Thing) => number | string, name: (thing: Thing) => Name): Ranks<Name> =>
  new Map(things.map((thing, at) => [key(thing), { at, name: name(thing) }]))

/** The sort position of a key; a key without a name sorts last. */
const rank = (ranks: Ranks<unknown>, key: number | string | null): number => ranks.get(key)?.at ?? ranks.size

/** Looks up the names of the groups and sorts `groups` itself by name: cost centre, service, item, record type. */
const nameGroups = async (context: ReportContext, groups: Group[]): Promise<UsageLines> => {
  const { transact, scope } = context
  const byId = <Thing extends { id: number; name: string }>(things: readonly Thing[]): Ranks<string> =>
    rankBy(
      things,
      ({ id }) => id,
      ({ name }) => name,
    )
  const services = byId(await transact((db) => servicesByName(db, scope), { pool: 'background' }))
  const types = byId(await transact((db) => recordTypesByName(db, scope), { pool: 'background' }))
  const items = rankBy<NamedItem, NamedItem>(
    await readAllItems(context),
    ({ id }) => id,
    (item) => item,
  )
  const centres = centreRanks(groups)
  groups.sort(
    (a, b) =>
      rank(centres, a.costCentre) - rank(centres, b.costCentre) ||
      rank(services, a.serviceId) - rank(services, b.serviceId) ||
      rank(items, a.serviceItemId) - rank(items, b.serviceItemId) ||
      rank(types, a.recordTypeId) - rank(types, b.recordTypeId),
  )
  const line = ({ serviceId, serviceItemId, recordTypeId, costCentre, records, units, price }: Group): UsageLine => {
    const item = items.get(serviceItemId)?.name
    return {
      service: services.get(serviceId)?.name ?? '',
      serviceItem: item?.name ?? null,
      description: item?.description ?? null,
      recordType: types.get(recordTypeId)?.name ?? '',
      costCentre,
      records,
      units,
      price,
    }
  }
  return { count: groups.length, sortedLines: () => mapLazily(groups, line) }
}

/** Makes the line of each group when it is asked for. */
function* mapLazily(groups: readonly Group[], line: (group: Group) => UsageLine): Generator<UsageLine> {
  for (const group of groups) yield line(group)
}

/** The sort positions of the groups' cost centres, in which "Dept 9" comes before "Dept 10". */
const centreRanks = (groups: readonly Group[]): Ranks<string> => {
  const { compare } = new Intl.Collator('en', { numeric: true })
  const centres = new Set(groups.flatMap(({ costCentre }) => (costCentre === null ? [] : [costCentre])))
  return rankBy(
    [...centres].toSorted(compare),
    (centre) => centre,
    (centre) => centre,
  )
}

/** Reads all service items of the customer, by name, page by page. */
const readAllItems = async ({ transact, scope }: ReportContext): Promise<NamedItem[]> => {
  const items: NamedItem[] = []
  for (;;) {
    const chunk = await transact((db) => itemsByName(db, scope, items.at(-1) ?? null), { pool: 'background' })
    if (chunk.length === 0) return items
    items.push(...chunk)
  }
}
