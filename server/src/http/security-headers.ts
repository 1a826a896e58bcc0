import type { FastifyInstance } from 'fastify'

/**
 * The one inline style that React Aria adds to a page. It changes with the library's version; a browser test notices
 * (docs/dependencies.md).
 */
const ARIA_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** Where browsers report what the policy stopped. */
export const CSP_REPORT_PATH = '/csp-reports'
const REPORT_GROUP = 'csp'

/** What any page of the portal may load: only what this origin serves. */
const PAGE_CSP = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", ARIA_STYLE],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'report-to': [REPORT_GROUP],
  'report-uri': [CSP_REPORT_PATH], // for browsers that do not know report-to
}

/** The portal's own code writes to no script sink and makes no policy for one, and trusted types make the browser enforce that. */
const APP_CSP = { ...PAGE_CSP, 'require-trusted-types-for': ["'script'"], 'trusted-types': ["'none'"] }

/** Abilities of a device that no page of the portal uses, and no frame in it may. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'usb',
]
  .map((name) => `${name}=()`)
  .join(', ')

/** What a payment page may load besides this origin. */
export interface PageOrigins {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}

/**
 * The Content-Security-Policy header of a page that takes payments: additionally the provider's script, frames and API. Without Trusted
 * Types, as providers' scripts do not promise to work under them (docs/decisions/0058).
 */
export const paymentPageCsp = ({ script, frame, connect }: PageOrigins): string =>
  toHeader({
    ...PAGE_CSP,
    'script-src': [...PAGE_CSP['script-src'], ...script],
    'connect-src': [...PAGE_CSP['connect-src'], ...connect],
    'frame-src': frame.length > 0 ? frame : ["'none'"],
  })

/** The text of a Content-Security-Policy header. */
const toHeader = (directives: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join(';')

/** The headers of every response, by OWASP's list; written once, because making them for each response takes measurable time. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': toHeader(APP_CSP),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': PERMISSIONS_POLICY,
  'referrer-policy': 'same-origin',
  'reporting-endpoints': `${REPORT_GROUP}="${CSP_REPORT_PATH}"`,
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

/** All security headers, with the CSP of the portal's pages; over https also Strict-Transport-Security. */
export const securityHeaders = (isHttps: boolean): Readonly<Record<string, string>> =>
  isHttps ? { ...SECURITY_HEADERS, ...STRICT_TRANSPORT } : SECURITY_HEADERS

/**
 * The security headers of an answer that no browser shows as a document: a CSP that allows nothing, nosniff, and over https
 * Strict-Transport-Security. Writing all of `securityHeaders` takes longer than such an answer itself.
 */
export const nonDocumentHeaders = (isHttps: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  ...(isHttps ? STRICT_TRANSPORT : {}),
})

/**
 * Sets the security headers of every response; over https also Strict-Transport-Security. A response that says nothing of caching gets
 * `no-store`.
 */
export const registerSecurityHeaders = (app: FastifyInstance, isHttps: boolean): void => {
  const headers = securityHeaders(isHttps)
  app.addHook('onRequest', async (_, reply) => void reply.headers(headers))
  app.addHook('onSend', async (_, reply) => {
    if (reply.getHeader('cache-control') === undefined) void reply.header('cache-control', 'no-store')
  })
}
