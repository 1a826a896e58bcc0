import type { Invoice } from '@counterfoil/contract/invoices'

/**
 * The ids of the chosen invoices that can be paid and are unpaid: they alone are sent, and without any the Pay button is off
 * (portal.md §2, Invoices).
 * @param selectedIds ids as the grid keeps them
 */
export const payableIds = (invoices: readonly Pick<Invoice, 'id' | 'canPay' | 'paid'>[], selectedIds: ReadonlySet<string>): number[] =>
  invoices.filter(({ id, canPay, paid }) => selectedIds.has(String(id)) && canPay && !paid).map(({ id }) => id)
