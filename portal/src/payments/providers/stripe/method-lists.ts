import { DEBIT_TYPES, type DebitType } from '@counterfoil/contract/kit/payments/payment-status'
import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { loadedDialog } from '../loaded-dialog.tsx'
import type { AddDialogProps, EditDialogProps, MethodList } from '../panel.ts'
import { removeBankMethod, removeCard, setDefault } from './methods.data.ts'
import { fetchBankAccounts, fetchCards, toSavedAccount, toSavedCard } from './saved-methods.ts'

/** Loads the code of the dialogs that store and change methods. */
const loadDialogs = () => import('./dialogs.ts')
const AddCard = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddCard }))
const EditCard = loadedDialog<EditDialogProps<Card>>(async () => ({ Dialog: (await loadDialogs()).EditCard }))
const AddAuBecs = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddAuBecs }))
const AddSepa = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddSepa }))
const AddUsAccount = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddUsAccount }))
const AddUkAccount = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddUkAccount }))

const CARDS: MethodList<Card> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  EditDialog: EditCard,
  remove: removeCard,
  setDefault,
}

/** The list of bank accounts under a heading, with the dialog that adds one. */
const toAccounts = (heading: string, AddDialog: MethodList<BankMethod>['AddDialog']): MethodList<BankMethod> => ({
  kind: 'bank',
  heading,
  addLabel: 'Add bank account',
  fetchMethods: fetchBankAccounts,
  toSavedMethod: toSavedAccount,
  AddDialog,
  remove: removeBankMethod,
  setDefault,
})

const ACCOUNTS: Readonly<Record<DebitType, MethodList<BankMethod>>> = {
  au_becs_debit: toAccounts('Direct Debit', AddAuBecs),
  us_bank_account: toAccounts('ACH', AddUsAccount),
  bacs_debit: toAccounts('BACS', AddUkAccount),
  sepa_debit: toAccounts('SEPA', AddSepa),
}

/** The kind of direct debit with this id; undefined without one. */
const debitOf = (id: number | null): DebitType | undefined => Object.entries(DEBIT_TYPES).find(([key]) => Number(key) === id)?.[1]

/** The lists of Payment Types: cards, and bank accounts of the reseller's one kind of direct debit, else null. */
export const methodLists = ({ directDebitPaymentMethodId }: Pick<PaymentDetails, 'directDebitPaymentMethodId'>) => {
  const debit = debitOf(directDebitPaymentMethodId)
  return { cards: CARDS, accounts: debit === undefined ? null : ACCOUNTS[debit] }
}
