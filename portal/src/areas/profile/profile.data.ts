import { profile, type ProfileChoices } from '@counterfoil/contract/user/profile'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { meQuery } from '../../api/account.data.ts'
import { callApi } from '../../api/call-api.ts'

/** Query options: name, user name and email of the signed-in user, and what the user has chosen. */
export const profileQuery = () =>
  queryOptions({
    queryKey: ['profile', 'read'],
    queryFn: ({ signal }) => callApi(profile.read, { signal }),
    meta: { failure: 'inline' },
  })

/** Stores what the user chooses on the server. Every screen uses it at once. Errors are shown in the form. */
export const changeProfileMutation = () =>
  mutationOptions({
    mutationKey: ['profile', 'change'],
    mutationFn: (body: ProfileChoices) => callApi(profile.change, { body }),
    onSuccess: (saved, _choices, _onMutate, { client }) => {
      client.setQueryData(profileQuery().queryKey, saved)
      client.setQueryData(meQuery().queryKey, (me) => me && { ...me, numberLocale: saved.numberLocale, receiptEmail: saved.receiptEmail })
    },
    meta: { failure: 'inline' },
  })
