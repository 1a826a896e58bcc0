import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { NexioAccount, NexioCard } from '@counterfoil/contract/providers/nexio'
import { loadedDialog } from '../loaded-dialog.tsx'
import type { AddDialogProps, EditDialogProps, MethodList } from '../panel.ts'
import { fetchBankAccounts, fetchCards, removeBankAccount, removeCard, setDefault } from './methods.data.ts'
import { toSavedAccount, toSavedCard } from './saved-methods.ts'

/** Loads the code of the dialogs that store and change methods. */
const loadDialogs = () => import('./dialogs.ts')
const AddCard = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddCard }))
const EditCard = loadedDialog<EditDialogProps<NexioCard>>(async () => ({ Dialog: (await loadDialogs()).EditCard }))
const AddAccount = loadedDialog<AddDialogProps>(async () => ({ Dialog: (await loadDialogs()).AddAccount }))

const CARDS: MethodList<NexioCard> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  EditDialog: EditCard,
  remove: removeCard,
  setDefault,
  reloadsOnDefault: true,
}

const ACCOUNTS: MethodList<NexioAccount> = {
  kind: 'bank',
  heading: 'ACH',
  addLabel: 'Add bank account',
  fetchMethods: fetchBankAccounts,
  toSavedMethod: toSavedAccount,
  AddDialog: AddAccount,
  remove: removeBankAccount,
  setDefault,
}

const ACH = 1

/** The lists of Payment Types: cards, and bank accounts where the reseller takes them, else null. */
export const methodLists = ({ directDebitPaymentMethodId }: Pick<PaymentDetails, 'directDebitPaymentMethodId'>) => ({
  cards: CARDS,
  accounts: directDebitPaymentMethodId === ACH ? ACCOUNTS : null,
})
