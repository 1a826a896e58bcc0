import { exactToText, toExact } from '@counterfoil/contract/kit/decimal'
import { MAX_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { groupBy } from '../../format/group-by.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import type { GridSums } from '../../ui/grid/grid-model.ts'
import { SumLines } from '../../ui/grid/sum-lines.tsx'
import { toPlainDecimal } from './plain-decimal.ts'

const PRICE_DECIMALS = 2
export const QUANTITY_DECIMALS = 6

/** The sums of these transactions: of their prices, and of their quantities where all are of one product. */
export const transactionSums = (rows: readonly Transaction[], symbolOf: (currency: string) => string): GridSums => ({
  label: `Sum of ${countText(rows.length)}`,
  cells: {
    price: <SumLines texts={priceTexts(rows, symbolOf)} />,
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

/** The exact sum of the prices in each currency, rounded once at the end; different currencies are never added together. */
export const priceTexts = (rows: readonly Pick<Transaction, 'currency' | 'price'>[], symbolOf: (currency: string) => string): string[] =>
  [...groupBy(rows, ({ currency }) => currency).entries()].map(([currency, own]) =>
    formatMoney(
      exactSum(
        own.map(({ price }) => price),
        PRICE_DECIMALS,
      ),
      symbolOf(currency),
    ),
  )

/** Such as "77 transactions"; a period with as many as the server sends may have more. */
export const countText = (count: number): string => {
  if (count === 1) return '1 transaction'
  return `${count === MAX_TRANSACTIONS ? 'the first ' : ''}${formatNumber(count)} transactions`
}

/** The sum without floating-point errors, rounded once to the decimals. */
const exactSum = (numbers: readonly number[], decimals: number): number =>
  Number(
    exactToText(
      numbers.reduce((sum, number) => sum + toExact(toPlainDecimal(number)), 0n),
      decimals,
    ),
  )

/** Whether there are transactions and all are of one product, so that their quantities can be added. */
const isOneProduct = ([first, ...others]: readonly Transaction[]): boolean =>
  first !== undefined &&
  others.every(({ productLabel, productName }) => productLabel === first.productLabel && productName === first.productName)
