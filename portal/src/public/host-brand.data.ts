import { type BrandSettings, brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { ApiError, callApi } from '../api/call-api.ts'

/**
 * The brand of the page's host; brand 0 when no brand has this host.
 * @throws ApiError when the brand could not be loaded
 */
export const fetchHostBrand = (signal: AbortSignal): Promise<BrandSettings> =>
  callApi(brands.byDomain, { query: { d: location.hostname }, signal }).catch((failure: unknown) => {
    if (!(failure instanceof ApiError) || failure.status !== 404) throw failure
    return callApi(brands.byId, { params: { id: FALLBACK_BRAND }, signal })
  })
