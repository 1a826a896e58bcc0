/** Whether this is the callback URL of a portal on this machine or under a reserved name (`.example`, `.localhost`). */
export const isPortalAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, pathname, search, hash } = new URL(address)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || /\.(example|localhost)$/.test(hostname)
  return /^https?:$/.test(protocol) && isHere && pathname === '/sso/callback' && search === '' && hash === ''
}
