/** Whether a `URL.hostname` names this machine, by its text alone. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

/** Whether people and secrets may be sent to a URL: over https, or to this machine. */
export const isSafeUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
