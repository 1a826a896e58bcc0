import { toPagePath } from '@counterfoil/contract/kit/http/page-path'

/** The URL path to open after sign-in, from the query parameter `r`; "/" without one, and for anything but a page of this origin. */
export const safePath = (target: string | null | undefined, origin: string = location.origin): string =>
  (typeof target === 'string' ? toPagePath(target, origin) : null) ?? '/'
