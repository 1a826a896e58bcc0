import { divideRounded, roundToUnits } from '@counterfoil/contract/kit/decimal'
import type { Day } from '@counterfoil/contract/kit/day'
import { daysUntil, PERIODS, periodIndexOf, secondsOf, weekdayOf } from './calendar.ts'
import type { RandomStream } from './random.ts'
import { type Connection, serviceOf } from './connections.ts'
import { splitByWeight } from './exact-arithmetic.ts'
import type { ResellerProfile } from './profile.ts'

/** A customer's usage: the records by column, in order of days, and the sums for invoices and charts. */
export interface Usage {
  readonly records: UsageColumns
  /** By period and service: price in micro units, amount in thousandths. */
  readonly sums: readonly (readonly { readonly priceMicros: number; readonly unitsMilli: number }[])[]
  /** Mobile data by day in thousandths of a megabyte; empty when the reseller sells none. */
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

/** Weights from Sunday to Saturday. */
const WEEKDAYS = [30, 96, 100, 104, 103, 92, 46]
/**
 * The weight of the current day. Its records lie at its first instant, so that the demo data is the same at any hour and never in the
 * future.
 */
const TODAY_WEIGHT = 0.3

/** Draws `rows` usage records over the days of the thirteen periods, and sums them. */
export const usageOf = (
  reseller: ResellerProfile,
  connections: readonly Connection[],
  { today, rows, random }: { readonly today: Day; readonly rows: number; readonly random: RandomStream },
): Usage => {
  const days = daysUntil(today)
  const counts = rowsPerDay(days, rows, random)
  const records: UsageColumns = { seconds: [], connection: [], record: [], peer: [], unitsMilli: [], priceMicros: [] }
  const sums = Array.from({ length: PERIODS }, () => reseller.services.map(() => ({ priceMicros: 0, unitsMilli: 0 })))
  const dataDays = days.map((day) => ({ day, unitsMilli: 0 }))
  const draw = createRecordDraw(reseller, connections, random)

  for (const [index, day] of days.entries()) {
    const period = periodIndexOf(day, today)
    const start = secondsOf(day)
    for (let remaining = counts[index] ?? 0; remaining > 0; remaining -= 1) {
      const drawn = draw(period)
      const hour = (drawn.localHour - reseller.utcOffset + 24) % 24
      const second = hour * 3600 + random.int(0, 3599)
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

/** How many records each day has, `rows` in all: more on weekdays than on weekends, and a third more at the end of the year. */
const rowsPerDay = (days: readonly Day[], rows: number, random: RandomStream): number[] => {
  const weights = days.map((day, index) => {
    const growth = 1 + (0.35 * index) / days.length
    const noise = 0.85 + random.fraction() * 0.3
    return (WEEKDAYS[weekdayOf(day)] ?? 100) * growth * noise * (index === days.length - 1 ? TODAY_WEIGHT : 1)
  })
  return splitByWeight(rows, weights)
}

interface DrawnRecord {
  readonly connection: number
  readonly serviceNo: number
  readonly record: number
  readonly peer: number
  readonly localHour: number
  readonly unitsMilli: number
  readonly priceMicros: number
  readonly isData: boolean
}

/** Makes the function that draws a record of a period: a service by its share, one of its connections of that time, a type, an amount. */
const createRecordDraw = (
  reseller: ResellerProfile,
  connections: readonly Connection[],
  random: RandomStream,
): ((period: number) => DrawnRecord) => {
  const shares = reseller.services.map(({ share }) => share)
  const available = Array.from({ length: PERIODS }, (_, period) =>
    reseller.services.map((_, serviceNo) =>
      connections.flatMap((item, index) => (item.serviceNo === serviceNo && item.since <= period ? [index] : [])),
    ),
  )
  const rates = reseller.services.map(({ records }) => records.map(({ rate }) => Number(roundToUnits(rate, 6))))
  return (period) => {
    const serviceNo = random.weightedIndex(shares)
    const { records, hours, isData = false } = serviceOf(reseller, serviceNo)
    const record = random.weightedIndex(records.map(({ weight }) => weight))
    const { minUnits, maxUnits, isFractional, peers = [] } = records[record] ?? { minUnits: 1, maxUnits: 1, isFractional: false }
    const units = minUnits + Math.floor((maxUnits - minUnits + 1) * random.fraction() ** 3)
    const unitsMilli = isFractional ? units : units * 1000
    return {
      connection: random.pick(available[period]?.[serviceNo] ?? []),
      serviceNo,
      record,
      peer: peers.length === 0 ? -1 : random.int(0, peers.length - 1),
      localHour: random.weightedIndex(hours),
      unitsMilli,
      priceMicros: Number(divideRounded(BigInt(unitsMilli * (rates[serviceNo]?.[record] ?? 0)), 1_000n)),
      isData,
    }
  }
}
