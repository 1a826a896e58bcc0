/**
 * Checks a URL that a payment redirects to: a bank's confirmation or a page of the payment provider.
 *
 * @param target     `redirectToUrl` or `url` from the server
 * @param scriptUrl  the configured address of the provider's script; with plain http it is a sandbox's
 * @returns          the parsed URL when it is https without credentials, or on the sandbox's origin; null otherwise
 */
export const safeRedirect = (target: unknown, scriptUrl: string | null): string | null => {
  if (typeof target !== 'string' || /[\s\\\p{Cc}\p{Cf}]/u.test(target) || !/^https?:\/\/[^/]/i.test(target)) return null
  const address = parseUrl(target)
  if (address === null || address.username !== '' || address.password !== '') return null
  const isAllowed = address.protocol === 'https:' || address.origin === parseUrl(scriptUrl ?? '')?.origin
  return isAllowed ? address.href : null
}

/** The parsed URL; null for a text that is none. */
const parseUrl = (target: string): URL | null => {
  try {
    return new URL(target)
  } catch {
    return null
  }
}
