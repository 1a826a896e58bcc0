import type { BankMethod } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { BpointMethod } from '@counterfoil/contract/providers/bpoint'
import type { MethodList } from '../panel.ts'
import { AddAccount } from './add-account.tsx'
import { AddCard } from './add-card.tsx'
import { fetchBankAccounts, fetchCards, removeMethod, setDefault } from './methods.data.ts'
import { toSavedMethod } from './saved-methods.ts'

const CARDS: MethodList<BpointMethod> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod,
  AddDialog: AddCard,
  remove: removeMethod,
  setDefault,
}

const ACCOUNTS: MethodList<BpointMethod & Pick<BankMethod, 'type' | 'status' | 'billingDetails'>> = {
  kind: 'bank',
  heading: 'Direct Debit',
  addLabel: 'Add bank account',
  fetchMethods: fetchBankAccounts,
  toSavedMethod,
  AddDialog: AddAccount,
  remove: removeMethod,
  setDefault,
}

/** The direct-debit method id of a reseller that takes bank accounts. */
const BECS = 1

/** The lists of Payment Types: cards, and bank accounts where the reseller takes them, else null. */
export const methodLists = ({ directDebitPaymentMethodId }: Pick<PaymentDetails, 'directDebitPaymentMethodId'>) => ({
  cards: CARDS,
  accounts: directDebitPaymentMethodId === BECS ? ACCOUNTS : null,
})
