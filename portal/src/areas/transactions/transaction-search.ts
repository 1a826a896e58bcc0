import type { Transaction } from '@counterfoil/contract/transactions'

/** Separates the searched fields; nobody can type it into a field of one line. */
const SEPARATOR = '\n'

/**
 * A function that finds transactions by product, service, service item, site or invoice number: the typed text may stand anywhere in
 * one of them, in capitals or not. The texts are prepared once, because a period can have 50,000 transactions.
 */
export const transactionSearch = (rows: readonly Transaction[]): ((text: string) => readonly Transaction[]) => {
  const searchable = rows.map((row) => fieldsOf(row).join(SEPARATOR).toLowerCase())
  return (text) => {
    const sought = text.trim().toLowerCase()
    return sought === '' ? rows : rows.filter((_, i) => searchable[i]?.includes(sought))
  }
}

/** The texts that the search looks in. */
const fieldsOf = ({ productLabel, productName, serviceName, serviceItem, siteLabel, invoiceNumber }: Transaction): (string | null)[] => [
  `${productLabel} ${productName}`,
  serviceName,
  serviceItem,
  siteLabel,
  invoiceNumber,
]
