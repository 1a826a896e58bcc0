import { exactToText, toExact } from '@counterfoil/contract/kit/decimal'
import { MAX_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { formatMoney, formatNumber } from '../../format/format.ts'
import type { GridSums } from '../../ui/grid/grid-model.ts'
import { toPlainDecimal } from './plain-decimal.ts'

const PRICE_DECIMALS = 2
export const QUANTITY_DECIMALS = 6

/**
 * The exact sums of these transactions: of their prices, and of their quantities where all are of one product. Nothing is rounded
 * before the end.
 */
export const transactionSums = (rows: readonly Transaction[], currencySymbol: string): GridSums => ({
  label: `Sum of ${countText(rows.length)}`,
  cells: {
    price: formatMoney(
      exactSum(
        rows.map(({ price }) => price),
        PRICE_DECIMALS,
      ),
      currencySymbol,
    ),
    ...(isOneProduct(rows) && {
      quantity: formatNumber(
        exactSum(
          rows.map(({ quantity }) => quantity),
          QUANTITY_DECIMALS,
        ),
        QUANTITY_DECIMALS,
      ),
    }),
  },
})

/** Such as "77 transactions"; a period with as many as the server sends may have more. */
export const countText = (count: number): string => {
  if (count === 1) return '1 transaction'
  return `${count === MAX_TRANSACTIONS ? 'the first ' : ''}${formatNumber(count)} transactions`
}

const exactSum = (numbers: readonly number[], decimals: number): number =>
  Number(
    exactToText(
      numbers.reduce((sum, number) => sum + toExact(toPlainDecimal(number)), 0n),
      decimals,
    ),
  )

const isOneProduct = ([first, ...others]: readonly Transaction[]): boolean =>
  first !== undefined &&
  others.every(({ productLabel, productName }) => productLabel === first.productLabel && productName === first.productName)
