import { REDIRECT_LOADER_PATH } from '../../shell/navigation/paths.ts'
import { safePath } from '../../public/safe-path.ts'

/** The URL path in the query's `r` when it is a page of this portal other than the loader, else `/`. */
export const loaderTarget = (search: string): string => {
  const target = safePath(new URLSearchParams(search).get('r'))
  const { pathname } = new URL(target, location.origin)
  return pathname === REDIRECT_LOADER_PATH || pathname.startsWith(`${REDIRECT_LOADER_PATH}/`) ? '/' : target
}
