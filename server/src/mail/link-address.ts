/** Top-level domains that never resolve (RFC 6761); the demo brands use them. */
const UNREACHABLE = /\.(example|invalid)$/

/**
 * The address of a link in a mail: on the brand's own domain, else on PUBLIC_URL. Never on the host of a request, which is untrusted.
 * @param path begins with a slash
 */
export const linkAddress = (domain: string | null, publicUrl: string, path: string): string => {
  if (domain === null || UNREACHABLE.test(domain)) return publicUrl + path
  if (!domain.endsWith('.localhost')) return `https://${domain}${path}`
  const base = new URL(publicUrl) // a brand under .localhost keeps the scheme and port of PUBLIC_URL
  base.hostname = domain
  return base.origin + path
}
