import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { MethodList } from '../panel.ts'
import { AddAccount } from './add-account.tsx'
import { AddCard } from './add-card.tsx'
import { fetchBankAccounts, fetchCards, removeBankAccount, removeCard, setDefault } from './methods.data.ts'
import { toSavedAccount, toSavedCard } from './saved-methods.ts'

const CARDS: MethodList<Card> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  remove: removeCard,
  setDefault,
  requiresReplacementBeforeRemovingDefault: true,
}

const ACCOUNTS: MethodList<BankMethod> = {
  kind: 'bank',
  heading: 'Direct Debit',
  addLabel: 'Add bank account',
  fetchMethods: fetchBankAccounts,
  toSavedMethod: toSavedAccount,
  AddDialog: AddAccount,
  remove: removeBankAccount,
  setDefault,
  requiresReplacementBeforeRemovingDefault: true,
}

const AU_BECS = 1

/** The lists of Payment Types: cards, which cannot be changed, and bank accounts where the reseller takes them, else null. */
export const methodLists = ({ directDebitPaymentMethodId }: Pick<PaymentDetails, 'directDebitPaymentMethodId'>) => ({
  cards: CARDS,
  accounts: directDebitPaymentMethodId === AU_BECS ? ACCOUNTS : null,
})
