import type { Bundle, DataUsage } from '@counterfoil/contract/dashboard'
import { addDays, type Day, lastOfMonth } from '@counterfoil/contract/kit/day'
import { monthLabel } from '../../kit/month-label.ts'
import type { BundleRow, UsageSum } from './dashboard.queries.ts'

/** Groups product rows by bundle, keeping their order. */
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

/** Usage labelled by month: "November 2026". */
export const toMonthlyUsage = (sums: readonly UsageSum[]): DataUsage[] =>
  sums.map(({ startsOn, gigabytes }) => ({ periodLabel: monthLabel(startsOn), dataUsage: Number(gigabytes) }))

/** Usage labelled by week: "1 – 7 Nov". */
export const toWeeklyUsage = (sums: readonly UsageSum[]): DataUsage[] =>
  sums.map(({ startsOn, gigabytes }) => ({ periodLabel: weekLabel(startsOn), dataUsage: Number(gigabytes) }))

const weekLabel = (startsOn: Day): string => {
  const seventhDay = addDays(startsOn, 6)
  const endsOn = seventhDay > lastOfMonth(startsOn) ? lastOfMonth(startsOn) : seventhDay
  return `${Number(startsOn.slice(8))} – ${Number(endsOn.slice(8))} ${monthLabel(startsOn).slice(0, 3)}`
}
