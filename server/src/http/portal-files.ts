import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PageOrigins, paymentPageCsp } from './security-headers.ts'
import { notFound, OperatorError } from '../kit/api-error.ts'
import { hostName } from './request-info.ts'

/** Paths that belong to the API: an unknown one gets a JSON error instead of a page. */
const API_PATH = /^\/(v1|token|revoke|hooks|brand-images|sso|csp-reports)(\/|$)/

/** Paths of one-time links. Opening the page uses nothing up; the page redeems the link by an API request. */
const LINK_PATHS = ['/reset-password', '/finish-registration', '/la']

/** What the router is told of a page: nothing in its path is used before the page has read it. */
const PAGE = { config: { isPage: true } } as const

/** Paths whose document may load the payment provider's script: the same list as in portal/src/shell/navigation/payment-paths.ts. */
const PAYMENT_PAGE = /^\/(payment-types|bulk-pay|payment-result)\/?$/

/**
 * Serves the portal's files. `/login`, the pages behind one-time links and the page that pays one invoice are documents of their own;
 * every other path is the app, which shows its own not-found screen.
 * @param folder the built portal
 * @param originsAt what the payment pages of a host may load besides this origin
 */
export const registerPortalRoutes = async (
  app: FastifyInstance,
  folder: string,
  originsAt: (host: string) => Promise<PageOrigins>,
): Promise<void> => {
  const pages = {
    login: await readPage(folder, 'login.html'),
    link: await readPage(folder, 'public.html'),
    pay: await readPage(folder, 'pay.html'),
    app: await readPage(folder, 'index.html'),
  }
  const setPaymentPolicy = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Do not return the reply: Fastify would wait until it has been sent.
    void reply.header('content-security-policy', paymentPageCsp(await originsAt(hostName(request.headers.host))))
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
    list: false,
    wildcard: true,
    // The frames of a payment provider take our font, so that its fields look like ours.
    setHeaders: (reply, path) => void (path.endsWith('.woff2') && reply.header('access-control-allow-origin', '*')),
  })
  app.get('/login', async (_, reply) => sendPage(reply, pages.login))
  // The URL holds a secret, so no other server may receive it as a referrer.
  for (const linkPath of LINK_PATHS)
    app.get(`${linkPath}/*`, PAGE, async (_, reply) => sendPage(reply.header('referrer-policy', 'no-referrer'), pages.link))
  app.get('/pay/*', PAGE, async (request, reply) => {
    await setPaymentPolicy(request, reply)
    return sendPage(reply.header('referrer-policy', 'no-referrer'), pages.pay)
  })
  app.get('/*', PAGE, async (request, reply) => {
    const { pathname } = new URL(request.url, 'http://portal')
    if (API_PATH.test(pathname) || /\.\w+$/.test(pathname)) throw notFound()
    if (PAYMENT_PAGE.test(pathname)) await setPaymentPolicy(request, reply)
    return sendPage(reply, pages.app)
  })
}

/**
 * Reads two pages into memory. The returned function gives the page that answers a URL which cannot be decoded: pay.html below /pay/, null
 * for the API's URLs, else the app, which shows that there is nothing.
 * @throws OperatorError when the portal is not built
 */
export const readUnreadableUrlPages = async (folder: string): Promise<(url: string) => Buffer | null> => {
  const [app, pay] = [await readPage(folder, 'index.html'), await readPage(folder, 'pay.html')]
  return (url) => (API_PATH.test(url) ? null : url.startsWith('/pay/') ? pay : app)
}

/** Sends HTML that browsers check again before each use (`no-cache`). */
const sendPage = (reply: FastifyReply, html: Buffer): FastifyReply =>
  reply.headers({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }).send(html)

/** Reads an HTML file of the built portal. @throws OperatorError when the file is missing */
const readPage = async (folder: string, name: string): Promise<Buffer> => {
  try {
    return await readFile(join(folder, name))
  } catch (error) {
    throw new OperatorError(`The portal is not built: ${join(folder, name)} is missing. Run npm run build.`, { cause: error })
  }
}
