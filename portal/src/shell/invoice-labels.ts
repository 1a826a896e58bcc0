import type { Account } from './account.tsx'

/** What the brand calls an invoice and several of them; Invoice and Invoices where it has no word (NAV-03). */
export const invoiceLabels = ({ invoiceLabel }: Account['settings']): Account['settings']['invoiceLabel'] => ({
  singular: invoiceLabel.singular || 'Invoice',
  plural: invoiceLabel.plural || 'Invoices',
})
