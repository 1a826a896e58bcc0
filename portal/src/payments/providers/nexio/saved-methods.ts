import { cardLabel, methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { NexioAccount, NexioCard } from '@counterfoil/contract/providers/nexio'
import { countryName, toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { fetchBankAccounts, fetchCards } from './methods.data.ts'

/** Fetches the saved cards and, after them, the bank accounts, in the form that every provider's have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> => {
  const [cards, accounts] = await Promise.all([fetchCards(signal), fetchBankAccounts(signal)])
  return [...cards.map((card) => toSavedCard(card)), ...accounts.map((account) => toSavedAccount(account))]
}

/** Such as "Visa •••• 4242". */
export const cardTitle = ({ nexioCard }: NexioCard): string => cardLabel({ brand: nexioCard?.cardType, last4: nexioCard?.lastFour })

/** A card in the form that every provider's methods have, with its holder and payer as facts. */
export const toSavedCard = (card: NexioCard): SavedMethod => {
  const { expirationMonth: month, expirationYear: year, cardHolderName, customer } = card.nexioCard ?? {}
  const expiry = month && year ? `${String(month).padStart(2, '0')}/${year}` : ''
  return {
    id: card.id,
    kind: 'card',
    type: 'card',
    title: cardTitle(card),
    detail: expiry && `Expires ${expiry}`,
    isDefault: card.isDefault,
    isPending: false,
    facts: [
      toFact('Name', cardHolderName, 'name'),
      toFact('Expires', expiry, 'expiry date'),
      toFact('Payer first name', customer?.payerFirstName, 'first name'),
      toFact('Payer last name', customer?.payerLastName, 'last name'),
      toFact('Address 1', customer?.billingAddress),
      toFact('Address 2', customer?.billingAddress2),
      toFact('Phone', customer?.billingPhone, 'phone'),
      toFact('Shipping address', customer?.shippingAddress, 'shipping address'),
      toFact('Shipping phone', customer?.shippingPhone, 'shipping phone'),
      toFact('State', customer?.state, 'state'),
      toFact('Zip', customer?.zip, 'zip'),
      toFact('Country', countryName(customer?.country), 'country'),
      toFact('Email', customer?.email, 'email'),
    ],
  }
}

/** A bank account in the form that every provider's methods have, named by its last digits. */
export const toSavedAccount = (account: NexioAccount): SavedMethod => ({
  id: account.id,
  kind: 'bank',
  type: account.type,
  title: methodLabel(account.type, { last4: account.lastFour }),
  detail: account.accountHolderName ?? '',
  isDefault: account.isDefault,
  isPending: false,
  facts: [
    toFact('Name', account.accountHolderName, 'name'),
    toFact('Routing number', account.routingNumber, 'routing number'),
    toFact('Account', account.lastFour && `•••• ${account.lastFour}`, 'account number'),
    toFact('Email', account.accountEmail, 'email'),
    toFact('Address', account.accountAddress, 'address'),
  ],
})
