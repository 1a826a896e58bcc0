import type { MonerisCard } from '@counterfoil/contract/providers/moneris'
import type { MethodList } from '../panel.ts'
import { AddCard } from './add-card.tsx'
import { fetchCards, removeCard, setDefault } from './methods.data.ts'
import { toSavedCard } from './saved-methods.ts'

const CARDS: MethodList<MonerisCard> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  remove: removeCard,
  setDefault,
}

/** The lists of Payment Types: cards alone, because Moneris' vault has no bank accounts. */
export const methodLists = () => ({ cards: CARDS, accounts: null })
