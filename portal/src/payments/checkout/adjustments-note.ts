import type { Adjustment } from '@counterfoil/contract/kit/payments/adjustment'
import { formatMoney } from '../../format/format.ts'

/** What adjustments are for; of several, each with its amount: "Late payment fee, August $5.00 · New contract $7.50". */
export const adjustmentsNote = (adjustments: readonly Adjustment[], symbol: string): string =>
  adjustments.length === 1
    ? (adjustments[0]?.description ?? '')
    : adjustments.map(({ description, amount }) => `${description} ${formatMoney(amount, symbol)}`).join(' · ')
