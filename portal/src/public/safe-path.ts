/** Paths that are not pages to come back to: the doors of the session themselves, and the server's own addresses. */
const RESERVED_PATH = /^\/(?:login|logout|token|revoke|v1|sso|la|hooks|brand-images|assets)(?:[/?#.]|$)/i

const MAX_DECODINGS = 3

/**
 * The path to go to after sign-in, from a query parameter that anybody may have written.
 *
 * @param target  what stood in `r`; null when nothing did
 * @param origin  the page's own origin
 * @returns       a path with query and fragment on the same origin, or "/" for everything else: another origin, `//host`,
 *                backslashes, control characters, also when they are percent-encoded, and `/login` itself
 *
 * Source: portal.md §2 (r), decisions.md (redirect targets), reliability.md §4.7.
 */
export const safePath = (target: string | null | undefined, origin: string = location.origin): string => {
  if (typeof target !== 'string' || toPlainPath(target) === null) return '/'
  const address = parseUrl(target, origin)
  if (address === null || address.origin !== origin) return '/'
  // The address as a browser would open it, its dots resolved, must be as plain as what was asked for.
  const page = toPlainPath(address.pathname)
  return page === null || RESERVED_PATH.test(page) ? '/' : address.pathname + address.search + address.hash
}

/** The text with nothing left to decode; null unless it is a plain path at every step of decoding. */
const toPlainPath = (target: string): string | null => {
  let text = target
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    if (!looksLikePath(text)) return null
    const decoded = decodeOnce(text)
    if (decoded === text) return text
    text = decoded
  }
  return null
}

const looksLikePath = (text: string): boolean => {
  const path = text.split(/[?#]/, 1)[0] ?? ''
  return text.startsWith('/') && !path.includes('//') && !/[\\\p{Cc}\p{Cf}]/u.test(text)
}

/** Decodes each percent-encoded ASCII character; never fails on a stray percent sign. */
const decodeOnce = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const parseUrl = (target: string, origin: string): URL | null => {
  try {
    return new URL(target, origin)
  } catch {
    return null
  }
}
