import { toPagePath } from '@counterfoil/contract/kit/http/page-path'

const PORTAL_ORIGIN = 'http://portal'
const MAX_LENGTH = 2_048

/**
 * The portal's URL path to open after signing in; undefined for anything that the portal would not open, such as another site. The portal
 * checks it once more.
 */
export const toRedirectPath = (target: string): string | undefined =>
  target.length > MAX_LENGTH ? undefined : (toPagePath(target, PORTAL_ORIGIN) ?? undefined)
