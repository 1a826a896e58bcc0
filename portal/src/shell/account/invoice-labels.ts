import { type SignedInAccount, DEFAULT_SETTINGS } from './account.tsx'

/** What the brand calls an invoice and several of them; Invoice and Invoices where it has no word (NAV-03). */
export const invoiceLabels = ({ invoiceLabel }: SignedInAccount['settings']): SignedInAccount['settings']['invoiceLabel'] => ({
  singular: invoiceLabel.singular.trim() || 'Invoice',
  plural: invoiceLabel.plural.trim() || 'Invoices',
})

/** The words for an invoice and several within a sentence: the default ones in small letters, the brand's own as it writes them. */
export const invoiceNouns = (settings: SignedInAccount['settings']): SignedInAccount['settings']['invoiceLabel'] => {
  const { singular, plural } = invoiceLabels(settings)
  const { invoiceLabel: defaults } = DEFAULT_SETTINGS
  return {
    singular: singular === defaults.singular ? singular.toLowerCase() : singular,
    plural: plural === defaults.plural ? plural.toLowerCase() : plural,
  }
}
