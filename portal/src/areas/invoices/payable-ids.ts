import type { Invoice } from '@counterfoil/contract/invoices'

/**
 * The selected invoices that are payable and unpaid. Only these are paid; without any, the Pay button is disabled (INV-02, INV-03).
 * @param selectedIds row keys of the grid
 */
export const payableIds = (invoices: readonly Pick<Invoice, 'id' | 'canPay' | 'paid'>[], selectedIds: ReadonlySet<string>): number[] =>
  invoices.filter(({ id, canPay, paid }) => selectedIds.has(String(id)) && canPay && !paid).map(({ id }) => id)
