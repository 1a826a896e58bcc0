/** The parser of addresses that browsers and Node share; the contract's library is the language's alone. */
declare const URL: new (target: string, base: string) => Address

type Address = Readonly<Record<'origin' | 'pathname' | 'search' | 'hash', string>>

/** Paths that are no pages of the app: sign-in and sign-out, and the server's own paths. */
const RESERVED_PATH = /^\/(?:login|logout|token|revoke|v1|sso|la|hooks|brand-images|assets)(?:[/?#.]|$)/i

const MAX_DECODINGS = 3

/**
 * The page of the portal that an untrusted text names, to be opened after sign-in.
 * @param origin the portal's own origin
 * @returns a path with query and fragment, dot segments resolved; null for another origin, `//host`, backslashes and control characters,
 * also percent-encoded ones, and for `/login` and the server's own paths
 */
export const toPagePath = (target: string, origin: string): string | null => {
  const address = toPlainPath(target) === null ? null : parseAddress(target, origin)
  if (address === null || address.origin !== origin) return null
  // The path is checked again as the browser would open it.
  const page = toPlainPath(address.pathname)
  return page === null || RESERVED_PATH.test(page) ? null : address.pathname + address.search + address.hash
}

/** The URL of a target, which may be relative to `base`; null when it cannot be parsed. */
const parseAddress = (target: string, base: string): Address | null => {
  try {
    return new URL(target, base)
  } catch {
    return null
  }
}

/** The fully decoded path of a URL; null unless it is a plain path at every step of decoding. */
const toPlainPath = (target: string): string | null => {
  let text = target
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    if (!isPlainPath(text)) return null
    const decoded = decodeOnce(text)
    if (decoded === text) return text
    text = decoded
  }
  return null
}

/**
 * Whether a text is the path of a URL on this origin, with or without query and fragment: it begins with a slash, its path has no `//`, and
 * it has no backslash and no control or format character.
 */
const isPlainPath = (text: string): boolean => {
  const path = text.split(/[?#]/, 1)[0] ?? ''
  return text.startsWith('/') && !path.includes('//') && !/[\\\p{Cc}\p{Cf}]/u.test(text)
}

/** Decodes percent-encoded ASCII characters once; other percent signs stay. */
const decodeOnce = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
