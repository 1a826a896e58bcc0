import { cardLabel, methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { AuthorizeAccount, AuthorizeCard } from '@counterfoil/contract/providers/authorize'
import { addressFacts, toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { fetchBankAccounts, fetchCards } from './methods.data.ts'

/** Fetches the saved cards and, after them, the bank accounts, in the form that every provider's have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> => {
  const [cards, accounts] = await Promise.all([fetchCards(signal), fetchBankAccounts(signal)])
  return [...cards.map((card) => toSavedCard(card)), ...accounts.map((account) => toSavedAccount(account))]
}

/** A card in the form that every provider's methods have: named by brand and last digits, with its address as facts. */
export const toSavedCard = ({ id, isDefault, address, authorizeCard, legalName }: AuthorizeCard): SavedMethod => ({
  id,
  kind: 'card',
  type: 'card',
  title: cardLabel(authorizeCard ?? {}),
  detail: '',
  isDefault,
  isPending: false,
  facts: [toFact('Company', legalName, 'company'), ...addressFacts(address)],
})

/** An account's label: its bank and the last digits. */
export const accountTitle = ({ bankName, routingNumber, lastFour }: AuthorizeAccount): string =>
  methodLabel('us_bank_account', { bankName, bankCode: routingNumber, last4: lastFour })

const ACCOUNT_TYPE_LABELS: Readonly<Record<string, string>> = {
  checking: 'Checking',
  savings: 'Savings',
  businessChecking: 'Business checking',
}

/** A bank account in the form that every provider's methods have. */
export const toSavedAccount = (account: AuthorizeAccount): SavedMethod => {
  const { id, isDefault, type, status, nameOnAccount, bankName, routingNumber, accountNumber, accountType } = account
  return {
    id,
    kind: 'bank',
    type,
    title: accountTitle(account),
    detail: nameOnAccount ?? '',
    isDefault,
    isPending: status === 'pending',
    facts: [
      toFact('Account name', nameOnAccount, 'account name'),
      toFact('Bank name', bankName, 'bank name'),
      toFact('Routing number', routingNumber, 'routing number'),
      toFact('Account number', accountNumber, 'account number'),
      toFact('Account type', ACCOUNT_TYPE_LABELS[accountType ?? ''] ?? accountType, 'account type'),
    ],
  }
}
