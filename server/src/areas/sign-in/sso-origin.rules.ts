import { isLoopback } from '../../sso/loopback.ts'

/**
 * Where this browser sees the portal, and where a provider must send it back to: the brand's own host, this very machine by whatever
 * name, and PUBLIC_URL for everything else. A host that a request merely names is never part of an address.
 * @param request how the request came in; `host` with its port
 * @param isBrandHost does a brand claim that host?
 */
export const portalOriginOf = (publicUrl: string, request: { protocol: string; host: string }, isBrandHost: boolean): string => {
  const base = new URL(publicUrl)
  if (!URL.canParse(`http://${request.host}`)) return base.origin
  const requested = new URL(`http://${request.host}`)
  if (requested.host === base.host) return base.origin
  if (isBrandHost) return `${base.protocol}//${requested.host}`
  return isLoopback(requested.hostname) ? `${request.protocol}://${requested.host}` : base.origin
}
