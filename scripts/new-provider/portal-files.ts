import { capitalize, type NewProvider } from './provider-names.ts'

const data = (name: string, Name: string): string => `import { ${name}Methods } from '@counterfoil/contract/providers/${name}'
import { callApi } from '../../../api/call-api.ts'

export const fetchCards = (signal: AbortSignal) => callApi(${name}Methods.${name}Cards, { signal })

export const removeCard = (id: string) => callApi(${name}Methods.remove${Name}Card, { params: { id } })

export const setDefault = (id: string) => callApi(${name}Methods.make${Name}Default, { body: { id } })
`

const addCard = `import type { AddDialogProps } from '../panel.ts'

/** The dialog that stores a new card. Nothing opens until its form is written. */
export const AddCard = (_props: AddDialogProps) => null
`

const methodLists = (name: string, Name: string): string => `import type { ${Name}Card } from '@counterfoil/contract/providers/${name}'
import type { MethodList } from '../panel.ts'
import { AddCard } from './add-card.tsx'
import { fetchCards, removeCard, setDefault } from './methods.data.ts'
import { toSavedCard } from './saved-methods.ts'

const CARDS: MethodList<${Name}Card> = {
  kind: 'card',
  heading: 'Cards',
  addLabel: 'Add Card',
  fetchMethods: fetchCards,
  toSavedMethod: toSavedCard,
  AddDialog: AddCard,
  remove: removeCard,
  setDefault,
}

/** Cards alone. */
export const methodLists = () => ({ cards: CARDS, accounts: null })
`

const savedMethods = (name: string, Name: string): string => `import { cardLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { ${Name}Card } from '@counterfoil/contract/providers/${name}'
import type { SavedMethod } from '../panel.ts'
import { fetchCards } from './methods.data.ts'

/** The cards that can pay. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> =>
  (await fetchCards(signal)).map((card) => toSavedCard(card))

export const toSavedCard = ({ id, isDefault, ${name}Card }: ${Name}Card): SavedMethod => ({
  id,
  kind: 'card',
  type: 'card',
  title: cardLabel({ brand: ${name}Card?.brand ?? undefined, last4: ${name}Card?.last4 ?? undefined }),
  detail: '',
  isDefault,
  isPending: false,
  facts: [],
})
`

/** The provider's folder in the portal, by path. Cards can be listed, removed and made the default; the form that adds one is missing. */
export const portalFiles = ({ name }: NewProvider): Record<string, string> => {
  const [folder, Name] = [`portal/src/payments/providers/${name}`, capitalize(name)]
  return {
    [`${folder}/methods.data.ts`]: data(name, Name),
    [`${folder}/add-card.tsx`]: addCard,
    [`${folder}/method-lists.ts`]: methodLists(name, Name),
    [`${folder}/saved-methods.ts`]: savedMethods(name, Name),
  }
}
