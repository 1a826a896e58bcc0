import type { UsageSummary } from '@counterfoil/contract/usage'
import type { GridSums } from '../../ui/grid/grid-model.ts'
import { exactPriceText, recordCountText, unitsText } from './usage-texts.ts'

const PENDING = '…'
const UNKNOWN = '–'

/**
 * The sums under the grid: of the price, and of the units where they are of one record type.
 * @param total the number of records, which is known before the sums
 */
export const usageSums = (total: number, summary: UsageSummary | undefined, isFailed: boolean, currencySymbol: string): GridSums => {
  const label = `Sum of ${recordCountText(summary?.records ?? total)}`
  if (summary === undefined) return { label, cells: { price: isFailed ? UNKNOWN : PENDING } }
  const { price, units } = summary
  return { label, cells: { price: exactPriceText(price, currencySymbol), ...(units !== null && { units: unitsText(Number(units)) }) } }
}
