import { isLoopback } from '../../sso/loopback.ts'

/**
 * The portal's origin in this browser, which a provider must redirect back to: the brand's own host, this machine by any name, else
 * PUBLIC_URL. An unknown Host header is never part of the result.
 * @param request how the request arrived; `host` with its port
 * @param isBrandHost whether a brand has that host
 */
export const portalOriginOf = (publicUrl: string, request: { protocol: string; host: string }, isBrandHost: boolean): string => {
  const base = new URL(publicUrl)
  if (!URL.canParse(`http://${request.host}`)) return base.origin
  const requested = new URL(`http://${request.host}`)
  if (requested.host === base.host) return base.origin
  if (isBrandHost) return `${base.protocol}//${requested.host}`
  return isLoopback(requested.hostname) ? `${request.protocol}://${requested.host}` : base.origin
}
