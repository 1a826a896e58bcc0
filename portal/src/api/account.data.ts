import { autoPay } from '@counterfoil/contract/auto-pay'
import { brands } from '@counterfoil/contract/brands'
import { customers } from '@counterfoil/contract/customers'
import { portalSettings } from '@counterfoil/contract/portal-settings'
import { queryOptions } from '@tanstack/react-query'
import { ask } from './call-api.ts'

const WHILE_THE_PAGE_LIVES = Number.POSITIVE_INFINITY

/** The customers that the signed-in user may act for. */
export const meQuery = () =>
  queryOptions({
    queryKey: ['customers', 'me'],
    queryFn: ({ signal }) => ask(customers.me, { signal }),
    staleTime: WHILE_THE_PAGE_LIVES,
    meta: { failure: 'banner' },
  })

/** Labels and what payments can do, for the chosen customer. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'settings'],
    queryFn: ({ signal }) => ask(portalSettings.settings, { signal }),
    staleTime: WHILE_THE_PAGE_LIVES,
    meta: { failure: 'banner' },
  })

/** Payment company, labels and the brand flags once more. */
export const paymentDetailsQuery = () =>
  queryOptions({
    queryKey: ['portal-settings', 'payment-details'],
    queryFn: ({ signal }) => ask(portalSettings.paymentDetails, { signal }),
    staleTime: WHILE_THE_PAGE_LIVES,
    meta: { failure: 'banner' },
  })

/** Colours, flags and labels of the brand in the token. */
export const brandQuery = (brandId: number) =>
  queryOptions({
    queryKey: ['brands', brandId],
    queryFn: ({ signal }) => ask(brands.byId, { params: { id: brandId }, signal }),
    staleTime: WHILE_THE_PAGE_LIVES,
    meta: { failure: 'banner' },
  })

/** Whether Payment Types is hidden from users who are not super-users. */
export const resellerChargeQuery = () =>
  queryOptions({
    queryKey: ['auto-pay', 'consent'],
    queryFn: ({ signal }) => ask(autoPay.consent, { signal }),
    staleTime: WHILE_THE_PAGE_LIVES,
    meta: { failure: 'log' },
  })
