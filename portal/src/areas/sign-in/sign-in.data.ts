import { type BrandSettings, brands, FALLBACK_BRAND } from '@counterfoil/contract/brands'
import type { Endpoint } from '@counterfoil/contract/kit/endpoint'
import { AskFailed, ask } from '../../shell/api.ts'
import { send } from '../../shell/send.ts'

const resetRequest: Endpoint = {
  method: 'POST',
  path: '/v1/ec/password-reset-request',
  access: 'public',
  summary: 'Ask for a mail with a link that sets a new password',
  reply: null,
}

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

/**
 * Asks for a mail that lets the owner of the address set a new password. The answer does not tell whether the address is known.
 * @throws AskFailed when the request could not be made
 */
export const requestReset = async (email: string): Promise<void> => {
  await send(resetRequest, { body: { email } })
}
