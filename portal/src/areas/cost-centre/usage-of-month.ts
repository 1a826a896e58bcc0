import { exactToText, toExact } from '@counterfoil/contract/kit/decimal'
import type { ServiceItem, ServiceItemUsage } from '@counterfoil/contract/service-items'
import { formatUnitPrice } from '../../format/format.ts'

/** The exact price of each item's usage, by its id. */
export type UsagePrices = ReadonlyMap<number, string>

/** The prices by the ids of the service items. */
export const toUsagePrices = (items: readonly ServiceItemUsage[]): UsagePrices => new Map(items.map(({ id, price }) => [id, price]))

/** As many digits as usage prices have everywhere, so that figures of both screens can be compared. */
const PRICE_DIGITS = 4

/** The money text of these items' usage prices, added up exactly and rounded once; an item without a price counts as zero. */
export const priceText = (items: readonly Pick<ServiceItem, 'id'>[], prices: UsagePrices, currencySymbol: string): string => {
  const sum = items.reduce((total, { id }) => total + toExact(prices.get(id) ?? '0'), 0n)
  return formatUnitPrice(Number(exactToText(sum, PRICE_DIGITS)), currencySymbol)
}
