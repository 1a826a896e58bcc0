import type { IPpayMethod } from '@counterfoil/contract/providers/ippay'
import type { MethodList } from '../panel.ts'
import { AddMethod } from './add-method.tsx'
import { fetchMethods, removeMethod, setDefault } from './methods.data.ts'
import { toSavedMethod } from './saved-methods.ts'

const METHODS: MethodList<IPpayMethod> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add card',
  fetchMethods,
  toSavedMethod,
  AddView: AddMethod,
  remove: removeMethod,
  setDefault,
}

/** The one list of Payment Types: cards, with the bank accounts among them. */
export const methodLists = () => ({ cards: METHODS, accounts: null })
