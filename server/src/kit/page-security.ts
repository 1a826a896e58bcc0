import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** The one style that React Aria adds to a page; it changes with the library's version, and a browser test notices (dependencies.md, trap 9). */
const ARIA_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** What the portal's two documents may do: nothing but what this origin serves. */
const APP_POLICY = {
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
  'require-trusted-types-for': ["'script'"],
}

/** Headers of every answer; over https also that it stays https. */
export const pageSecurity = (app: FastifyInstance, isHttps: boolean): void => {
  void app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: APP_POLICY },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_, reply) => {
    if (reply.getHeader('cache-control') === undefined) void reply.header('cache-control', 'no-store')
  })
}
