/**
 * The address to which a payment may send the browser: for a confirmation at the bank, or to a page of the payment company.
 *
 * @param target     what the server gave as `redirectToUrl` or `url`
 * @param scriptUrl  where the company's script comes from, as the server is set up; over plain http it is a sandbox's
 * @returns          the address as a browser reads it: https with a plain host, or on the sandbox's own origin; null for anything else
 *
 * Source: reliability.md §4.7 and §1 row 28.
 */
export const safeRedirect = (target: unknown, scriptUrl: string | null): string | null => {
  if (typeof target !== 'string' || /[\s\\\p{Cc}\p{Cf}]/u.test(target) || !/^https?:\/\/[^/]/i.test(target)) return null
  const address = parseUrl(target)
  if (address === null || address.username !== '' || address.password !== '') return null
  const isAllowed = address.protocol === 'https:' || address.origin === parseUrl(scriptUrl ?? '')?.origin
  return isAllowed ? address.href : null
}

const parseUrl = (target: string): URL | null => (URL.canParse(target) ? new URL(target) : null)
