import { autoPay, type ResellerCharge } from '@counterfoil/contract/auto-pay'
import { mutationOptions } from '@tanstack/react-query'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { callApi } from '../../api/call-api.ts'
import { METHODS_KEY } from '../../payments/methods/methods.data.ts'
import type { MethodList } from '../../payments/providers/panel.ts'

/** Mutation options: removes a saved card or bank account; the list is not loaded again here. A failure shows the banner. */
export const removeMethodMutation = ({ kind, remove }: Pick<MethodList<unknown>, 'kind' | 'remove'>) =>
  mutationOptions({
    mutationKey: ['payment-methods', `remove-${kind}`],
    mutationFn: (id: string) => remove(id),
    meta: { failure: 'banner' },
  })

/** Mutation options: makes a saved method the default, then has all lists of methods loaded again. A failure shows the banner. */
export const setDefaultMutation = ({ setDefault }: Pick<MethodList<unknown>, 'setDefault'>) =>
  mutationOptions({
    mutationKey: ['payment-methods', 'make-default'],
    mutationFn: (id: string) => setDefault(id),
    // The default of the other list may have changed as well.
    onSuccess: (_nothing, _id, _onMutate, { client }) => client.invalidateQueries({ queryKey: METHODS_KEY }),
    meta: { failure: 'banner' },
  })

/** Mutation options: gives or withdraws the permission to charge. The screen shows the value that the server returns. */
export const setConsentMutation = () =>
  mutationOptions({
    mutationKey: ['auto-pay', 'set-consent'],
    mutationFn: (allowResellerCharge: boolean) => callApi(autoPay.setConsent, { body: { allowResellerCharge } }),
    onSuccess: (saved: ResellerCharge, _allowed, _onMutate, { client }) => client.setQueryData(autoPayConsentQuery().queryKey, saved),
    meta: { failure: 'banner' },
  })
