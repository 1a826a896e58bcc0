import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'
import { page } from './page.ts'
import type { Stores } from '../stores.ts'

const STYLES = new URL('./page.css', import.meta.url)

const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A message may show its HTML and open links in a new tab; it has no script, no requests, no forms and no access to the page around it. */
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

const HTML = 'text/html; charset=utf-8'

/** Registers the sandbox's page at `/`, its style sheet, and `/mail/{n}/html`, which the page frames. */
export const pageRoutes: FastifyPluginAsync<Stores> = async (app, { mailbox, ledger, faults }) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  })

  app.get('/', async ({ protocol, host }, reply) =>
    reply
      .type(HTML)
      .header('content-security-policy', PAGE_CSP)
      .send(page({ baseUrl: `${protocol}://${host}`, mails: mailbox.list(), entries: ledger.list(), faults: faults.list() })),
  )

  app.get('/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(await readFile(STYLES)))

  app.get<{ Params: { number: string } }>('/mail/:number/html', async ({ params }, reply) => {
    const mail = mailbox.find(Number(params.number))
    if (mail === undefined) return reply.code(404).send({ message: `There is no message ${params.number}.` })
    if (mail.html === '') return reply.code(404).send({ message: `Message ${params.number} has no HTML part.` })
    return reply.type(HTML).header('content-security-policy', MAIL_CSP).send(`<!doctype html><base target="_blank">${mail.html}`)
  })
}
