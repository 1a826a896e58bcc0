import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { AuthorizeAccount, AuthorizeCard } from '@counterfoil/contract/providers/authorize'
import type { MethodList } from '../panel.ts'
import { AddAccount } from './add-account.tsx'
import { AddCard } from './add-card.tsx'
import { EditAccount } from './edit-account.tsx'
import { fetchBankAccounts, fetchCards, removeBankAccount, removeCard, setDefault } from './methods.data.ts'
import { toSavedAccount, toSavedCard } from './saved-methods.ts'

const CARDS: MethodList<AuthorizeCard> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  remove: removeCard,
  setDefault,
}

const ACCOUNTS: MethodList<AuthorizeAccount> = {
  kind: 'bank',
  heading: 'ACH',
  addLabel: 'Add bank account',
  fetchMethods: fetchBankAccounts,
  toSavedMethod: toSavedAccount,
  AddDialog: AddAccount,
  EditDialog: EditAccount,
  remove: removeBankAccount,
  setDefault,
}

/** The direct-debit method id of a reseller that takes bank accounts. */
const ACH = 1

/** The lists of Payment Types: cards, and bank accounts where the reseller takes them, else null. */
export const methodLists = ({ directDebitPaymentMethodId }: Pick<PaymentDetails, 'directDebitPaymentMethodId'>) => ({
  cards: CARDS,
  accounts: directDebitPaymentMethodId === ACH ? ACCOUNTS : null,
})
