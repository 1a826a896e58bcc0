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

/** Moneris' vault has cards alone. */
export const methodLists = () => ({ cards: CARDS, accounts: null })
