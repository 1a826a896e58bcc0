import { REDIRECT_LOADER_PATH } from '../../shell/paths.ts'
import { safePath } from '../../public/safe-path.ts'

/** The path that the loader goes on to: `r` where that is a page of this portal, and not the loader once more; else `/`. */
export const loaderTarget = (search: string): string => {
  const target = safePath(new URLSearchParams(search).get('r'))
  const { pathname } = new URL(target, location.origin)
  return pathname === REDIRECT_LOADER_PATH || pathname.startsWith(`${REDIRECT_LOADER_PATH}/`) ? '/' : target
}
