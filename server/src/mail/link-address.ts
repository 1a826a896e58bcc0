/** Names that no name server will ever know (RFC 6761): the demo world's brands have such. */
const UNREACHABLE = /\.(example|invalid)$/

/**
 * An address for a mail: on the brand's own domain, else on PUBLIC_URL (decisions.md, Sign-in paths). Never on a host that a request named.
 * @param path begins with a slash
 */
export const linkAddress = (domain: string | null, publicUrl: string, path: string): string => {
  if (domain === null || UNREACHABLE.test(domain)) return publicUrl + path
  if (!domain.endsWith('.localhost')) return `https://${domain}${path}`
  const base = new URL(publicUrl) // a brand's name on this very machine has its scheme and port
  base.hostname = domain
  return base.origin + path
}
