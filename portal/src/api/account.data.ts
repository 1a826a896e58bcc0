import { autoPay } from '@counterfoil/contract/auto-pay'
import { brands } from '@counterfoil/contract/brands'
import { customers } from '@counterfoil/contract/customers'
import { portalSettings } from '@counterfoil/contract/portal-settings'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

const NEVER_STALE = Number.POSITIVE_INFINITY

/** The customers that the signed-in user may act for. */
export const meQuery = () =>
  queryOptions({
    queryKey: ['customers', 'me'],
    queryFn: ({ signal }) => callApi(customers.me, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Labels and what payments can do, for the chosen customer. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'settings'],
    queryFn: ({ signal }) => callApi(portalSettings.settings, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Payment company, labels and the brand flags once more. */
export const paymentDetailsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'payment-details'],
    queryFn: ({ signal }) => callApi(portalSettings.paymentDetails, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Colours, flags and labels of the brand in the token. */
export const brandQuery = (brandId: number) =>
  queryOptions({
    queryKey: ['brands', brandId],
    queryFn: ({ signal }) => callApi(brands.byId, { params: { id: brandId }, signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Whether Payment Types is hidden from users who are not super-users. */
export const autoPayConsentQuery = () =>
  queryOptions({
    queryKey: ['auto-pay', 'consent'],
    queryFn: ({ signal }) => callApi(autoPay.consent, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'log' },
  })
