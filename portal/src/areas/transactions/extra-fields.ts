import { type ExtraFieldLabels, type Transaction, TRANSACTION_EXTRA_FIELDS } from '@counterfoil/contract/transactions'
import type { Look } from '../../shell/account.tsx'

/** A column that a reseller has added to its transactions. */
export interface ExtraField {
  readonly key: 'extraField1' | 'extraField2' | 'extraField3' | 'extraField4' | 'extraField5'
  readonly label: string
}

const FIELDS = [
  { key: 'extraField1', flag: 'endPortalTransactionsExtraTab1', name: 'Extra 1' },
  { key: 'extraField2', flag: 'endPortalTransactionsExtraTab2', name: 'Extra 2' },
  { key: 'extraField3', flag: 'endPortalTransactionsExtraTab3', name: 'Extra 3' },
  { key: 'extraField4', flag: 'endPortalTransactionsExtraTab4', name: 'Extra 4' },
  { key: 'extraField5', flag: 'endPortalTransactionsExtraTab5', name: 'Extra 5' },
] as const satisfies readonly { key: keyof Transaction; flag: keyof Look['flags']; name: string }[]

/** The extra columns that the brand switches on, under the labels that the reseller has given to transactions (portal.md §2). */
export const extraFields = (flags: Look['flags'], labels: readonly ExtraFieldLabels[]): readonly ExtraField[] => {
  const own = labels.find(({ extraFieldTypeId }) => extraFieldTypeId === TRANSACTION_EXTRA_FIELDS)
  return FIELDS.filter(({ flag }) => flags[flag]).map(({ key, name }) => ({ key, label: own?.[key] || name }))
}
