import { type ExtraFieldLabels, type Transaction, TRANSACTION_EXTRA_FIELDS } from '@counterfoil/contract/transactions'
import type { Branding } from '../../shell/account/account.tsx'

/** An extra column that a reseller has added to transactions. */
export interface ExtraField {
  readonly key: 'extraField1' | 'extraField2' | 'extraField3' | 'extraField4' | 'extraField5'
  readonly label: string
}

const EXTRA_FIELDS = [
  { key: 'extraField1', flag: 'endPortalTransactionsExtraTab1', name: 'Extra 1' },
  { key: 'extraField2', flag: 'endPortalTransactionsExtraTab2', name: 'Extra 2' },
  { key: 'extraField3', flag: 'endPortalTransactionsExtraTab3', name: 'Extra 3' },
  { key: 'extraField4', flag: 'endPortalTransactionsExtraTab4', name: 'Extra 4' },
  { key: 'extraField5', flag: 'endPortalTransactionsExtraTab5', name: 'Extra 5' },
] as const satisfies readonly { key: keyof Transaction; flag: keyof Branding['flags']; name: string }[]

/** The extra columns that the brand switches on, under the reseller's labels (TXN-03). */
export const extraFields = (flags: Branding['flags'], labels: readonly ExtraFieldLabels[]): readonly ExtraField[] => {
  const transactionLabels = labels.find(({ extraFieldTypeId }) => extraFieldTypeId === TRANSACTION_EXTRA_FIELDS)
  return EXTRA_FIELDS.filter(({ flag }) => flags[flag]).map(({ key, name }) => ({ key, label: transactionLabels?.[key] || name }))
}
