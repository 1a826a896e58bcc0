import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { bpointMethods } from '@counterfoil/contract/providers/bpoint'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'

/**
 * Asks the server for an AuthKey of BPOINT, as the field `authKey`. BPOINT's script sends a card or a bank account to BPOINT under it.
 * @throws ApiError when the request fails
 */
export const requestAuthKey = async (): Promise<CardFieldsStart> => ({ fields: await callApi(bpointMethods.openBpointKey) })

/** Mutation options: has our server store the card or bank account that BPOINT has under an AuthKey. A failure is shown in the dialog. */
export const addMethodMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-method'],
    mutationFn: (authKeys: string) => callApi(bpointMethods.addBpointCard, { body: { authKeys } }),
    meta: { failure: 'inline' },
  })

/** Fetches the customer's saved cards and bank accounts of BPOINT from our server, cards first. */
export const fetchMethods = (signal: AbortSignal) => callApi(bpointMethods.bpointCards, { signal })

/** Fetches the customer's saved cards of BPOINT from our server, without the bank accounts. */
export const fetchCards = async (signal: AbortSignal) => (await fetchMethods(signal)).filter(({ sourceType }) => sourceType === 'CC')

/** Fetches the saved bank accounts, with the fields that a list shows for every provider: BPOINT's are always ready and have no email. */
export const fetchBankAccounts = async (signal: AbortSignal) =>
  (await fetchMethods(signal))
    .filter(({ sourceType }) => sourceType === 'ACH')
    .map((account) => ({
      ...account,
      type: account.type ?? '',
      status: 'ready' as const,
      billingDetails: { name: account.accountHolderName ?? null, email: null },
    }))

/** Has our server remove a saved card or bank account from BPOINT. */
export const removeMethod = (id: string) => callApi(bpointMethods.removeBpointCard, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(bpointMethods.makeBpointDefault, { body: { id } })
