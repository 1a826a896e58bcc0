import type { FastifyInstance } from 'fastify'
import { cutConnection, sendServerError } from '../../kit/fault-responses.ts'
import { sendWithFault } from '../../kit/forced-outcome.ts'
import { pageFiles, sendPage } from '../../kit/hosted-page.ts'
import type { Moneris } from '../moneris.ts'
import { fieldsPage, type PageOptions } from './fields-page.ts'
import { errorMessage, type TokenMessage, tokenizeCard, type TypedCard } from './tokenize.ts'

/** The page may be framed by any site, and be styled by its address. */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

const typedSchema = {
  type: 'object',
  required: ['id', 'pan'],
  additionalProperties: false,
  properties: { id: { type: 'string' }, pan: { type: 'string' }, exp: { type: 'string' }, cvd: { type: 'string' } },
}

/** Registers the hosted fields: the frame's page, its script and styles, and the call by which it makes a token. */
export const hostedRoutes = (app: FastifyInstance, moneris: Moneris): void => {
  app.get<{ Querystring: PageOptions }>('/HPPtoken/index.php', async ({ query }, reply) =>
    sendPage(reply, fieldsPage(query), 200, PAGE_CSP),
  )
  pageFiles(app, import.meta.url, { 'hosted-fields.browser.js': 'javascript', 'hosted-fields.css': 'css' }, '/HPPtoken')

  app.post<{ Body: TypedCard }>('/HPPtoken/tokenize', { schema: { body: typedSchema } }, async ({ body }, reply) => {
    const fault = moneris.faults.take('moneris', 'tokenise')
    if (fault?.kind === 'refuse') return cutConnection(reply)
    const isRun = fault === undefined || fault.booked || fault.kind === 'wrong-amount'
    return sendWithFault<TokenMessage>(reply, {
      fault,
      answer: isRun ? tokenizeCard(moneris.openSession(), body) : errorMessage(body, ['941']),
      send: (message) => reply.send(message),
      fail: () => sendServerError(reply),
      tamper: (message, { kind }) => (kind === 'decline' ? errorMessage(body, ['943']) : message),
    })
  })
}
