import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatMoney } from '../../format/format.ts'
import { feeOf } from './fee-text.ts'

const DECIMALS = 3

/** How much less a bank account costs than a card, such as "$28.18"; empty where it is not cheaper. */
export const bankSaving = (fees: readonly PaymentFee[], symbol: string): string => {
  const [card, bank] = [feeOf(fees, 'card'), feeOf(fees, 'bank')]
  if (card === undefined || bank === undefined || bank.total >= card.total) return ''
  return formatMoney(sumOfNumbers([card.total, -bank.total], DECIMALS), symbol)
}
