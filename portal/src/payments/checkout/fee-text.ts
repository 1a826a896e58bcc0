import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatMoney, formatPercent } from '../../format/format.ts'
import type { MethodKind } from '../providers/panel.ts'

/** The fee of paying by card, or from a bank account; undefined where there is no entry for that way. */
export const feeOf = (fees: readonly PaymentFee[], kind: MethodKind): PaymentFee | undefined => fees.find((fee) => fee.kind === kind)

/** A fee's rule, such as "2.95 % + $0.30"; empty without a fee. */
export const feeRule = ({ amount, percent, fixed }: PaymentFee, symbol: string): string => {
  if (amount <= 0) return ''
  const parts = [...(percent > 0 ? [formatPercent(percent)] : []), ...(fixed > 0 ? [formatMoney(fixed, symbol)] : [])]
  return parts.join(' + ')
}

/** What stands beside a method: "fee 2.95 %", or "no fee" where another way has one. Empty where no way has one. */
export const feeNote = (fees: readonly PaymentFee[], kind: MethodKind, symbol: string): string => {
  const fee = feeOf(fees, kind)
  if (fee === undefined || fees.every(({ amount }) => amount <= 0)) return ''
  return fee.amount > 0 ? `fee ${feeRule(fee, symbol)}` : 'no fee'
}
