import type { Spending } from '@counterfoil/contract/dashboard'
import type { Day } from '@counterfoil/contract/kit/day'
import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import { groupBy } from '../../format/group-by.ts'

type Sums = Spending['sums'][number]

const MONTHS_OF_YEAR = 12
/** The largest number of decimals of any currency. */
const MAX_CURRENCY_DIGITS = 3

/** What an amount of spending is for: a service, the taxes, or what no service accounts for. */
interface SpendingPart {
  readonly kind: 'service' | 'taxes' | 'other'
  readonly serviceName: string
}

/** A month with its amount and that of the same month a year before. */
export interface MonthPair {
  readonly month: Day
  readonly monthBefore: Day
  readonly amount: number
  readonly before: number
  readonly isRunning: boolean
}

/** The last twelve months in one currency, the running one last, beside the same months a year before. */
export interface SpendingYears {
  readonly symbol: string
  readonly months: readonly MonthPair[]
  readonly amount: number
  readonly before: number
  /** Like for like; null where there is nothing from a year before. */
  readonly comparison: YearComparison | null
}

/** The whole months that both years have. */
interface YearComparison {
  readonly months: number
  readonly amount: number
  readonly before: number
}

/** A part of the spending in the last twelve months and in those before. */
export interface PartSum extends SpendingPart {
  readonly amount: number
  readonly before: number
}

/** How much more than a year before, exactly; negative when less. */
export const changeOf = ({ amount, before }: { readonly amount: number; readonly before: number }): number => sumOf([amount, -before])

/** The currencies in which anything was invoiced, the one of the most months first. */
export const spendingCurrencies = (spending: readonly Spending[]): string[] => {
  const currencies = spending.flatMap(({ sums }) => sums.map(({ currency }) => currency))
  const counts = [...groupBy(currencies, (currency) => currency)].map(([currency, all]) => ({ currency, count: all.length }))
  return counts.toSorted((one, other) => other.count - one.count).map(({ currency }) => currency)
}

/**
 * The last twelve months in a currency beside the same months a year before, of all services or of one.
 * @param spending 24 months, oldest first, the last of them running
 */
export const spendingYears = (spending: readonly Spending[], currency: string, serviceName: string | null = null): SpendingYears => {
  const amounts = spending.map((month) => amountOf(sumsIn(month, currency), serviceName))
  const first = amounts.findIndex((amount) => amount !== 0)
  const thisYear = spending.slice(-MONTHS_OF_YEAR)
  const months = thisYear.map(({ month }, index) => ({
    month,
    monthBefore: spending[index]?.month ?? month,
    amount: amounts[index + MONTHS_OF_YEAR] ?? 0,
    before: amounts[index] ?? 0,
    isRunning: index === MONTHS_OF_YEAR - 1,
  }))
  // A customer who came during the year before has no months to compare with until then, and the running month is not over.
  const compared = months.filter(({ isRunning }, index) => !isRunning && first !== -1 && index >= first)
  return {
    symbol: spending.flatMap((month) => sumsIn(month, currency)?.currencySymbol ?? []).at(-1) ?? '',
    months,
    ...totalsOf(months),
    comparison: compared.length === 0 ? null : { months: compared.length, ...totalsOf(compared) },
  }
}

/**
 * The services with their spending in one currency, the largest of the last twelve months first, then what no service accounts for, and the
 * taxes; these two are left out where they are zero.
 */
export const spendingParts = (spending: readonly Spending[], currency: string): PartSum[] => {
  const thisYear = spending.slice(-MONTHS_OF_YEAR).flatMap((month) => sumsIn(month, currency) ?? [])
  const yearBefore = spending.slice(0, -MONTHS_OF_YEAR).flatMap((month) => sumsIn(month, currency) ?? [])
  const names = new Set([...thisYear, ...yearBefore].flatMap(({ services }) => services.map((service) => service.serviceName)))
  const sum = (amountIn: (sums: Sums) => number) => ({ amount: sumOf(thisYear.map(amountIn)), before: sumOf(yearBefore.map(amountIn)) })
  const services = [...names].map(
    (serviceName): PartSum => ({ kind: 'service', serviceName, ...sum((sums) => amountOf(sums, serviceName)) }),
  )
  const rest: PartSum[] = [
    { kind: 'other', serviceName: '', ...sum(({ other }) => other) },
    { kind: 'taxes', serviceName: '', ...sum(({ taxes }) => taxes) },
  ]
  return [
    ...services.toSorted((one, other) => other.amount - one.amount || other.before - one.before),
    ...rest.filter(({ amount, before }) => amount !== 0 || before !== 0),
  ]
}

/**
 * The largest services, the other services as one sum with what no service accounts for, and the taxes. Unchanged where at most one service
 * is left over.
 */
export const withOthersTogether = (parts: readonly PartSum[], maxServices: number): readonly PartSum[] => {
  const services = parts.filter(({ kind }) => kind === 'service')
  // A single other service takes no more space under its own name.
  if (services.length <= maxServices + 1) return parts
  const others = [...services.slice(maxServices), ...parts.filter(({ kind }) => kind === 'other')]
  return [
    ...services.slice(0, maxServices),
    { kind: 'other', serviceName: '', ...totalsOf(others) },
    ...parts.filter(({ kind }) => kind === 'taxes'),
  ]
}

/** A month's sums in the currency; undefined when nothing was invoiced in that currency. */
const sumsIn = ({ sums }: Spending, currency: string): Sums | undefined => sums.find((one) => one.currency === currency)

/** What the service costs in these sums, or all together for null; 0 where there is nothing. */
const amountOf = (sums: Sums | undefined, serviceName: string | null): number =>
  (serviceName === null ? sums?.total : sums?.services.find((service) => service.serviceName === serviceName)?.amount) ?? 0

/** The sums of both years over all parts. */
const totalsOf = (parts: readonly { readonly amount: number; readonly before: number }[]) => ({
  amount: sumOf(parts.map(({ amount }) => amount)),
  before: sumOf(parts.map(({ before }) => before)),
})

/** The exact sum of amounts. */
const sumOf = (amounts: readonly number[]): number => sumOfNumbers(amounts, MAX_CURRENCY_DIGITS)
