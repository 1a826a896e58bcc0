import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound, OperatorError } from './refusal.ts'

/** Addresses that belong to the API: a wrong one is answered by the API, not by a page. */
const API = /^\/(v1|token|revoke|hooks|brand-images|sso)(\/|$)/

/** Where links lead that work once. Opening one does nothing: what it is good for is done by a call that the page makes. */
const DOORS = ['/reset-password', '/finish-registration', '/la']

/**
 * The portal's own files. `/login` is a document of its own, and so is the door for people who come with a link;
 * every other address is the app, which shows its not-found screen by itself.
 * @param folder the built portal
 */
export const portalRoutes = async (app: FastifyInstance, folder: string): Promise<void> => {
  const pages = { login: await page(folder, 'login.html'), door: await page(folder, 'door.html'), app: await page(folder, 'index.html') }
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
  for (const door of DOORS) app.get(`${door}/*`, async (_, reply) => sendPage(reply.header('referrer-policy', 'no-referrer'), pages.door))
  app.get('/*', async (request, reply) => {
    const { pathname } = new URL(request.url, 'http://portal')
    if (API.test(pathname) || /\.\w+$/.test(pathname)) throw notFound()
    return sendPage(reply, pages.app)
  })
}

const sendPage = (reply: FastifyReply, html: Buffer): FastifyReply =>
  reply.headers({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }).send(html)

const page = async (folder: string, name: string): Promise<Buffer> => {
  try {
    return await readFile(join(folder, name))
  } catch (error) {
    throw new OperatorError(`The portal is not built: ${join(folder, name)} is missing. Run npm run build.`, { cause: error })
  }
}
