import type { Bundle, DataUsage } from '@counterfoil/contract/dashboard'
import { addDays, type Day, lastOfMonth } from '@counterfoil/contract/kit/day'
import { monthLabel } from '../../kit/month-label.ts'
import type { BundleRow, UsageSum } from './dashboard.queries.ts'

/** Groups the products' rows by bundle, keeping their order. A bundle without products has an empty list. */
export const toBundles = (rows: readonly BundleRow[]): Bundle[] => {
  const bundles = new Map<number, Bundle>()
  for (const row of rows) {
    const bundle = bundles.get(row.id) ?? { bundleName: row.name, bundle_products: [] }
    bundles.set(row.id, bundle)
    if (row.productName === null) continue
    bundle.bundle_products.push({
      productName: row.productName,
      serviceItem: row.serviceItem ?? '',
      quantity: Number(row.quantity),
      unitLabel: row.unitLabel ?? '',
      consumption: Number(row.consumption),
    })
  }
  return [...bundles.values()]
}

/** Sums of data used, in gigabytes, in the form of the API, labelled by month: "November 2026". */
export const toMonthlyUsage = (sums: readonly UsageSum[]): DataUsage[] =>
  sums.map(({ startsOn, gigabytes }) => ({
    periodLabel: monthLabel(startsOn),
    periodStart: startsOn,
    periodEnd: lastOfMonth(startsOn),
    dataUsage: Number(gigabytes),
  }))

/** Sums of data used, in gigabytes, in the form of the API, labelled by week: "1 – 7 Nov". */
export const toWeeklyUsage = (sums: readonly UsageSum[]): DataUsage[] =>
  sums.map(({ startsOn, gigabytes }) => {
    const periodEnd = lastOfWeek(startsOn)
    return { periodLabel: weekLabel(startsOn, periodEnd), periodStart: startsOn, periodEnd, dataUsage: Number(gigabytes) }
  })

/** The seventh day of a week, or the last of the month where that is earlier. */
const lastOfWeek = (startsOn: Day): Day => {
  const seventhDay = addDays(startsOn, 6)
  return seventhDay > lastOfMonth(startsOn) ? lastOfMonth(startsOn) : seventhDay
}

/** The days and the short name of the first day's month: "1 – 7 Nov". */
const weekLabel = (startsOn: Day, endsOn: Day): string =>
  `${Number(startsOn.slice(8))} – ${Number(endsOn.slice(8))} ${monthLabel(startsOn).slice(0, 3)}`
