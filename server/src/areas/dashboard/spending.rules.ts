import type { Spending } from '@counterfoil/contract/dashboard'
import { type Day, firstOfMonth } from '@counterfoil/contract/kit/day'
import { toJsonNumber } from '@counterfoil/contract/kit/money'
import type { InvoicedSum } from './spending.queries.ts'

/** The first days of the last `count` months, oldest first; the last is the running month. */
export const lastMonths = (today: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => firstOfMonth(today, index + 1 - count))

/** Every month with its sums by currency, whether or not anything was invoiced in it. */
export const toSpending = (months: readonly Day[], sums: readonly InvoicedSum[]): Spending[] => {
  const byMonth = Map.groupBy(sums, ({ month }) => month)
  return months.map((month) => {
    const byCurrency = Map.groupBy(byMonth.get(month) ?? [], ({ currency }) => currency)
    return { month, sums: [...byCurrency.values()].map(toCurrencySums) }
  })
}

/** The sums of a month in one currency, of rows that all have that currency; what neither services nor taxes account for is `other`. */
const toCurrencySums = (sums: readonly InvoicedSum[]): Spending['sums'][number] => {
  const { currency = '', symbol = '' } = sums[0] ?? {}
  const money = (minor: bigint): number => toJsonNumber({ minor, currency })
  const sumOf = (...parts: readonly InvoicedSum['part'][]): bigint =>
    sums.filter(({ part }) => parts.includes(part)).reduce((sum, { minor }) => sum + BigInt(minor), 0n)
  const services = sums.filter(({ part }) => part === 'service')
  return {
    currency,
    currencySymbol: symbol,
    total: money(sumOf('total')),
    services: services.map(({ serviceName, minor }) => ({ serviceName, amount: money(BigInt(minor)) })),
    taxes: money(sumOf('taxes')),
    other: money(sumOf('total') - sumOf('taxes', 'service')),
  }
}
