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

/** Labels and payment options of the chosen customer. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'settings'],
    queryFn: ({ signal }) => callApi(portalSettings.settings, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Payment provider, labels and brand flags. */
export const paymentDetailsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'payment-details'],
    queryFn: ({ signal }) => callApi(portalSettings.paymentDetails, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Colours, flags and labels of a brand. */
export const brandQuery = (brandId: number) =>
  queryOptions({
    queryKey: ['brands', brandId],
    queryFn: ({ signal }) => callApi(brands.byId, { params: { id: brandId }, signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'banner' },
  })

/** Automatic-payment consent, and whether Payment Types is hidden from customer users. */
export const autoPayConsentQuery = () =>
  queryOptions({
    queryKey: ['auto-pay', 'consent'],
    queryFn: ({ signal }) => callApi(autoPay.consent, { signal }),
    staleTime: NEVER_STALE,
    meta: { failure: 'log' },
  })
