import { monerisMethods } from '@counterfoil/contract/providers/moneris'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'

type NewCard = Parameters<typeof callApi<typeof monerisMethods.addMonerisCard>>[1]['body']

/** Mutation options: has our server store a card, by its token or its number. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(monerisMethods.addMonerisCard, { body }),
    meta: { failure: 'inline' },
    // The body has the number of the card: it is forgotten with the dialog.
    gcTime: 0,
  })

/** Fetches the customer's saved cards of Moneris from our server. */
export const fetchCards = (signal: AbortSignal) => callApi(monerisMethods.monerisCards, { signal })

/** Has our server remove a saved card from Moneris. */
export const removeCard = (id: string) => callApi(monerisMethods.removeMonerisCard, { params: { id } })

/** Has our server make a saved card the default. */
export const setDefault = (id: string) => callApi(monerisMethods.makeMonerisDefault, { body: { id } })
