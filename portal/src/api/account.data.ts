import { autoPay } from '@counterfoil/contract/auto-pay'
import { brands } from '@counterfoil/contract/brands'
import { customers } from '@counterfoil/contract/customers'
import { portalSettings } from '@counterfoil/contract/portal-settings'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

const NEVER_STALE = Number.POSITIVE_INFINITY

/**
 * Query options: the customers that the signed-in user may act for, and what the user has chosen. Loaded once; a failure shows the banner.
 */
export const meQuery = () =>
  queryOptions({
    queryKey: ['customers', 'me'],
    queryFn: ({ signal }) => callApi(customers.me, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Query options: labels and payment options of the chosen customer. Loaded once; a failure shows the banner. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'settings'],
    queryFn: ({ signal }) => callApi(portalSettings.settings, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Query options: payment provider, labels and brand flags. Loaded once; a failure shows the banner. */
export const paymentDetailsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'payment-details'],
    queryFn: ({ signal }) => callApi(portalSettings.paymentDetails, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Query options: colours, flags and labels of a brand. Loaded once; a failure shows the banner. */
export const brandQuery = (brandId: number) =>
  queryOptions({
    queryKey: ['brands', brandId],
    queryFn: ({ signal }) => callApi(brands.byId, { params: { id: brandId }, signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/**
 * Query options: automatic-payment consent, and whether Payment Types is hidden from customer users. Loaded once; a failure is only logged.
 */
export const autoPayConsentQuery = () =>
  queryOptions({
    queryKey: ['auto-pay', 'consent'],
    queryFn: ({ signal }) => callApi(autoPay.consent, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'log' },
  })
