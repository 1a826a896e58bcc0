import type { Day } from '@counterfoil/contract/kit/day'
import { daysUntil, PERIODS, periodIndexOf, secondsOf, weekdayOf } from './calendar.ts'
import type { Chance } from './random.ts'
import { type Connection, serviceOf } from './connections.ts'
import { micros, portions, roundedQuotient } from './exact.ts'
import type { ResellerProfile } from './profile.ts'

/** A customer's usage: the records column by column, in order of days, and the sums that bills and charts are made of. */
export interface Usage {
  readonly records: UsageColumns
  /** Of each period and service: price in micro units, amount in thousandths. */
  readonly sums: readonly (readonly { readonly priceMicros: number; readonly unitsMilli: number }[])[]
  /** Mobile data of each day in thousandths of a megabyte; empty when the reseller sells none. */
  readonly dataDays: readonly { readonly day: Day; readonly unitsMilli: number }[]
}

interface UsageColumns {
  readonly seconds: number[]
  /** Indexes into the customer's connections. */
  readonly connection: number[]
  readonly record: number[]
  /** Index into the record's peers; −1 when it has none. */
  readonly peer: number[]
  readonly unitsMilli: number[]
  readonly priceMicros: number[]
}

/** Sunday to Saturday: businesses that work from Monday to Friday. */
const WEEKDAYS = [30, 96, 100, 104, 103, 92, 46]
/**
 * Today is not over yet. What there is of it stands at its first instant, as a run at night enters it: at whatever hour of the day the
 * world is made, it is the same world, and nothing of it lies ahead of the clock.
 */
const PART_OF_TODAY = 0.3

/** Spreads `rows` records over the days of the thirteen periods. */
export const usageOf = (
  reseller: ResellerProfile,
  connections: readonly Connection[],
  { today, rows, chance }: { readonly today: Day; readonly rows: number; readonly chance: Chance },
): Usage => {
  const days = daysUntil(today)
  const counts = rowsPerDay(days, rows, chance)
  const records: UsageColumns = { seconds: [], connection: [], record: [], peer: [], unitsMilli: [], priceMicros: [] }
  const sums = Array.from({ length: PERIODS }, () => reseller.services.map(() => ({ priceMicros: 0, unitsMilli: 0 })))
  const dataDays = days.map((day) => ({ day, unitsMilli: 0 }))
  const draw = recordDraw(reseller, connections, chance)

  for (const [index, day] of days.entries()) {
    const period = periodIndexOf(day, today)
    const start = secondsOf(day)
    for (let left = counts[index] ?? 0; left > 0; left -= 1) {
      const drawn = draw(period)
      const hour = (drawn.localHour - reseller.utcOffset + 24) % 24
      const second = hour * 3600 + chance.whole(0, 3599)
      records.seconds.push(start + (day === today ? 0 : second))
      records.connection.push(drawn.connection)
      records.record.push(drawn.record)
      records.peer.push(drawn.peer)
      records.unitsMilli.push(drawn.unitsMilli)
      records.priceMicros.push(drawn.priceMicros)
      const sum = sums[period]?.[drawn.serviceNo]
      if (sum !== undefined) {
        sum.priceMicros += drawn.priceMicros
        sum.unitsMilli += drawn.unitsMilli
      }
      const dataDay = dataDays[index]
      if (drawn.isData && dataDay !== undefined) dataDay.unitsMilli += drawn.unitsMilli
    }
  }
  return { records, sums, dataDays: reseller.services.some(({ isData }) => isData === true) ? dataDays : [] }
}

/** Weekdays carry more than weekends, and the year ends a third higher than it began. */
const rowsPerDay = (days: readonly Day[], rows: number, chance: Chance): number[] => {
  const weights = days.map((day, index) => {
    const growth = 1 + (0.35 * index) / days.length
    const mood = 0.85 + chance.share() * 0.3
    return (WEEKDAYS[weekdayOf(day)] ?? 100) * growth * mood * (index === days.length - 1 ? PART_OF_TODAY : 1)
  })
  return portions(rows, weights)
}

interface Drawn {
  readonly connection: number
  readonly serviceNo: number
  readonly record: number
  readonly peer: number
  readonly localHour: number
  readonly unitsMilli: number
  readonly priceMicros: number
  readonly isData: boolean
}

/** Draws one record of a period: a service by its share, one of its connections that were there, a kind of record, an amount. */
const recordDraw = (reseller: ResellerProfile, connections: readonly Connection[], chance: Chance): ((period: number) => Drawn) => {
  const shares = reseller.services.map(({ share }) => share)
  const present = Array.from({ length: PERIODS }, (_, period) =>
    reseller.services.map((_, serviceNo) =>
      connections.flatMap((item, index) => (item.serviceNo === serviceNo && item.since <= period ? [index] : [])),
    ),
  )
  const rates = reseller.services.map(({ records }) => records.map(({ rate }) => micros(rate)))
  return (period) => {
    const serviceNo = chance.weighted(shares)
    const { records, hours, isData = false } = serviceOf(reseller, serviceNo)
    const record = chance.weighted(records.map(({ weight }) => weight))
    const { least, most, fine, peers = [] } = records[record] ?? { least: 1, most: 1, fine: false }
    const units = least + Math.floor((most - least + 1) * chance.share() ** 3)
    const unitsMilli = fine ? units : units * 1000
    return {
      connection: chance.pick(present[period]?.[serviceNo] ?? []),
      serviceNo,
      record,
      peer: peers.length === 0 ? -1 : chance.whole(0, peers.length - 1),
      localHour: chance.weighted(hours),
      unitsMilli,
      priceMicros: roundedQuotient(unitsMilli * (rates[serviceNo]?.[record] ?? 0), 1000),
      isData,
    }
  }
}
