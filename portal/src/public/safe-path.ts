/** Paths that are no pages of the app: sign-in and sign-out, and the server's own paths. */
const RESERVED_PATH = /^\/(?:login|logout|token|revoke|v1|sso|la|hooks|brand-images|assets)(?:[/?#.]|$)/i

const MAX_DECODINGS = 3

/**
 * The path to open after sign-in, from an untrusted query parameter.
 *
 * @param target  the value of `r`; null without one
 * @param origin  the page's own origin
 * @returns       a path with query and fragment on the same origin; "/" for another origin, `//host`, backslashes and
 *                control characters, also percent-encoded ones, and for `/login` itself
 */
export const safePath = (target: string | null | undefined, origin: string = location.origin): string => {
  if (typeof target !== 'string' || toPlainPath(target) === null) return '/'
  const address = parseUrl(target, origin)
  if (address === null || address.origin !== origin) return '/'
  // Check the path again as the browser would open it, with dot segments resolved.
  const page = toPlainPath(address.pathname)
  return page === null || RESERVED_PATH.test(page) ? '/' : address.pathname + address.search + address.hash
}

/** The fully decoded path; null unless it looks like a path at every step of decoding. */
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

/** Decodes percent-encoded ASCII characters once; ignores stray percent signs. */
const decodeOnce = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const parseUrl = (target: string, origin: string): URL | null => {
  try {
    return new URL(target, origin)
  } catch {
    return null
  }
}
