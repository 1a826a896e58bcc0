import { type BrandSettings, brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import { AskFailed, ask } from '../api/call-api.ts'

/**
 * The brand whose host this page was opened on; brand 0 where no brand claims the host.
 * @throws AskFailed when the brand could not be loaded
 */
export const brandOfHost = (signal: AbortSignal): Promise<BrandSettings> =>
  ask(brands.byDomain, { query: { d: location.hostname }, signal }).catch((failure: unknown) => {
    if (!(failure instanceof AskFailed) || failure.status !== 404) throw failure
    return ask(brands.byId, { params: { id: FALLBACK_BRAND }, signal })
  })

/** The address of a brand's picture. */
export const brandPicture = (brandId: number, kind: 'logo' | 'banner'): string =>
  brands.image.path.replace('{id}', String(brandId)).replace('{kind}', kind)
