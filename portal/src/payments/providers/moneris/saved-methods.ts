import { cardLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { MonerisCard } from '@counterfoil/contract/providers/moneris'
import { toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { fetchCards } from './methods.data.ts'

/** Fetches the saved cards, in the form that every provider's methods have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> =>
  (await fetchCards(signal)).map((card) => toSavedCard(card))

/** A card in the form that every provider's methods have: named by brand and last digits. */
export const toSavedCard = ({ id, isDefault, monerisCard }: MonerisCard): SavedMethod => {
  const { cardNumber, brand, month, year, phone, email } = monerisCard ?? {}
  const expiry = month && year ? `${String(month).padStart(2, '0')}/${year}` : ''
  return {
    id,
    kind: 'card',
    type: 'card',
    title: cardLabel({ brand, last4: cardNumber?.slice(-4) }),
    detail: expiry && `Expires ${expiry}`,
    isDefault,
    isPending: false,
    facts: [toFact('Expires', expiry, 'expiry date'), toFact('Phone', phone, 'phone'), toFact('Email', email, 'email')],
  }
}
