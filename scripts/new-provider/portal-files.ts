const addCard = `import type { AddDialogProps } from '../panel.ts'

/** The dialog that stores a new card. Nothing opens until its form is written. */
export const AddCard = (_props: AddDialogProps) => null
`

const methodLists = `import type { Card } from '@counterfoil/contract/payment-methods'
import type { MethodList } from '../panel.ts'
import { AddCard } from './add-card.tsx'

const NOT_WRITTEN = 'This list is not written yet.'

const CARDS: MethodList<Card> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add Card',
  fetchMethods: () => Promise.resolve([]),
  toSavedMethod: ({ id, isDefault }) => ({
    id,
    kind: 'card',
    type: 'card',
    title: 'Card',
    detail: '',
    isDefault,
    isPending: false,
    facts: [],
  }),
  AddDialog: AddCard,
  remove: () => Promise.reject(new Error(NOT_WRITTEN)),
  setDefault: () => Promise.reject(new Error(NOT_WRITTEN)),
}

/** Cards alone. */
export const methodLists = () => ({ cards: CARDS, accounts: null })
`

const savedMethods = `import type { SavedMethod } from '../panel.ts'

/** The methods that can pay. None until the provider's list is read. */
export const fetchSavedMethods = (_signal: AbortSignal): Promise<readonly SavedMethod[]> => Promise.resolve([])
`

/** The provider's folder in the portal, by path. Its lists are empty until they are written. */
export const portalFiles = (name: string): Record<string, string> => {
  const folder = `portal/src/payments/providers/${name}`
  return {
    [`${folder}/add-card.tsx`]: addCard,
    [`${folder}/method-lists.ts`]: methodLists,
    [`${folder}/saved-methods.ts`]: savedMethods,
  }
}
