import { type BankMethod, type Card, paymentMethods } from '@counterfoil/contract/payment-methods'
import { callApi } from '../../../api/call-api.ts'
import type { SavedMethod } from '../panel.ts'
import { bankFacts, cardFacts } from './method-facts.ts'
import { bankTitle, cardExpiry, cardTitle } from './method-label.ts'

/** Fetches the customer's saved cards of Stripe from our server. */
export const fetchCards = (signal: AbortSignal) => callApi(paymentMethods.cards, { signal })

/** Fetches the customer's saved bank accounts of Stripe from our server, unverified ones too. */
export const fetchBankAccounts = (signal: AbortSignal) => callApi(paymentMethods.bankMethods, { signal })

/** Fetches the saved methods that can pay, cards first. Accounts that are not verified yet are left out. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> => {
  const [cards, accounts] = await Promise.all([fetchCards(signal), fetchBankAccounts(signal)])
  return [...cards.map(toSavedCard), ...accounts.map(toSavedAccount).filter(({ isPending }) => !isPending)]
}

/** A card in the form that every provider's methods have. */
export const toSavedCard = (card: Card): SavedMethod => ({
  id: card.id,
  kind: 'card',
  type: 'card',
  title: cardTitle(card),
  detail: cardExpiry(card) && `Expires ${cardExpiry(card)}`,
  isDefault: card.isDefault,
  isPending: false,
  facts: cardFacts(card),
})

/** A bank account in the form that every provider's methods have; pending while it is not verified. */
export const toSavedAccount = (account: BankMethod): SavedMethod => ({
  id: account.id,
  kind: 'bank',
  type: account.type,
  title: bankTitle(account),
  detail: account.billingDetails.name ?? '',
  isDefault: account.isDefault,
  isPending: account.status === 'pending',
  facts: bankFacts(account),
})
