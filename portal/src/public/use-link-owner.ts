import { type BrandSettings, brands } from '@counterfoil/contract/brands'
import { password } from '@counterfoil/contract/user/password'
import { useCallback, useState } from 'react'
import { ApiError, callApi } from '../api/call-api.ts'
import { fetchHostBrand } from './host-brand.data.ts'

/** For whom a mailed link sets a password. */
interface LinkOwner {
  readonly username: string
  readonly resellerName: string
  readonly brandId: number
}

/**
 * The user of a mailed link, null until it is known, and a function that loads the brand of that user, whichever host the link was opened
 * on.
 */
export const useLinkOwner = (
  token: string,
  purpose: 'reset' | 'registration',
): { readonly owner: LinkOwner | null; readonly fetchBrand: (signal: AbortSignal) => Promise<BrandSettings> } => {
  const [owner, setOwner] = useState<LinkOwner | null>(null)
  const fetchBrand = useCallback(
    async (signal: AbortSignal) => {
      const found = await fetchLinkOwner(token, purpose, signal)
      setOwner(found)
      return found === null ? fetchHostBrand(signal) : callApi(brands.byId, { params: { id: found.brandId }, signal })
    },
    [token, purpose],
  )
  return { owner, fetchBrand }
}

/**
 * Asks the server for the user of a mailed link.
 * @returns null for a link that is not valid: the form says so when it is sent
 */
const fetchLinkOwner = (token: string, purpose: 'reset' | 'registration', signal: AbortSignal): Promise<LinkOwner | null> =>
  callApi(password.linkOwner, { body: { token, purpose }, signal }).catch((failure: unknown) => {
    if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) return null
    throw failure
  })
