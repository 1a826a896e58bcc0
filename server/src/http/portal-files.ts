import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PageOrigins, paymentPageCsp } from './security-headers.ts'
import { notFound, OperatorError } from '../kit/api-error.ts'
import { hostName } from './request-info.ts'

/** Addresses that belong to the API: a wrong one is answered by the API, not by a page. */
const API_PATH = /^\/(v1|token|revoke|hooks|brand-images|sso)(\/|$)/

/** Where links lead that work once. Opening one does nothing: what it is good for is done by a call that the page makes. */
const LINK_PATHS = ['/reset-password', '/finish-registration', '/la']

/** Addresses of the app whose document may load the payment company's script: the same list as in portal/src/shell/payment-document.ts. */
const PAYMENT_PAGE = /^\/(payment-types|bulk-pay|payment-result)\/?$/

/**
 * The portal's own files. `/login` is a document of its own, and so are the door for people who come with a link and the page on which
 * one invoice is paid; every other address is the app, which shows its not-found screen by itself.
 * @param folder the built portal
 * @param originsAt what the payment pages of a host may load beside what this origin serves
 */
export const registerPortalRoutes = async (
  app: FastifyInstance,
  folder: string,
  originsAt: (host: string) => Promise<PageOrigins>,
): Promise<void> => {
  const pages = {
    login: await readPage(folder, 'login.html'),
    door: await readPage(folder, 'door.html'),
    pay: await readPage(folder, 'pay.html'),
    app: await readPage(folder, 'index.html'),
  }
  const setPaymentPolicy = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A reply must not be given back here: whoever waits for one waits until it has been sent.
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
  })
  app.get('/login', async (_, reply) => sendPage(reply, pages.login))
  // The address is a secret: no other server shall learn it from this page.
  for (const linkPath of LINK_PATHS)
    app.get(`${linkPath}/*`, async (_, reply) => sendPage(reply.header('referrer-policy', 'no-referrer'), pages.door))
  app.get('/pay/*', async (request, reply) => {
    await setPaymentPolicy(request, reply)
    return sendPage(reply.header('referrer-policy', 'no-referrer'), pages.pay)
  })
  app.get('/*', async (request, reply) => {
    const { pathname } = new URL(request.url, 'http://portal')
    if (API_PATH.test(pathname) || /\.\w+$/.test(pathname)) throw notFound()
    if (PAYMENT_PAGE.test(pathname)) await setPaymentPolicy(request, reply)
    return sendPage(reply, pages.app)
  })
}

const sendPage = (reply: FastifyReply, html: Buffer): FastifyReply =>
  reply.headers({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }).send(html)

const readPage = async (folder: string, name: string): Promise<Buffer> => {
  try {
    return await readFile(join(folder, name))
  } catch (error) {
    throw new OperatorError(`The portal is not built: ${join(folder, name)} is missing. Run npm run build.`, { cause: error })
  }
}
