import { cardLabel, methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { fetchBankAccounts, fetchCards } from './methods.data.ts'

/** Fetches the saved cards and, after them, the bank accounts, in the form that every provider's have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> => {
  const [cards, accounts] = await Promise.all([fetchCards(signal), fetchBankAccounts(signal)])
  return [...cards.map((card) => toSavedCard(card)), ...accounts.map((account) => toSavedAccount(account))]
}

/** A card in the form that every provider's methods have: named by brand and last digits. */
export const toSavedCard = ({ id, isDefault, pinchCard }: Card): SavedMethod => {
  const { brand, last4, expMonth, expYear, cardHolderName } = pinchCard ?? {}
  const expiry = expMonth && expYear ? `${String(expMonth).padStart(2, '0')}/${expYear}` : ''
  return {
    id,
    kind: 'card',
    type: 'card',
    title: cardLabel({ brand, last4 }),
    detail: expiry && `Expires ${expiry}`,
    isDefault,
    isPending: false,
    facts: [toFact('Name', cardHolderName, 'name'), toFact('Expires', expiry, 'expiry date')],
  }
}

/** A bank account in the form that every provider's methods have: named by BSB and last digits. */
export const toSavedAccount = ({ id, isDefault, type, aubecsDebit, billingDetails }: BankMethod): SavedMethod => {
  const { bsbNumber, last4 } = aubecsDebit ?? {}
  return {
    id,
    kind: 'bank',
    type,
    title: methodLabel(type, { bankCode: bsbNumber, last4 }),
    detail: billingDetails.name ?? '',
    isDefault,
    isPending: false,
    facts: [
      toFact('Name', billingDetails.name, 'name'),
      toFact('BSB', bsbNumber),
      toFact('Account', last4 && `•••• ${last4}`, 'account number'),
      toFact('Email', billingDetails.email, 'email'),
    ],
  }
}
