import type { FastifyInstance, FastifyReply } from 'fastify'
import { cutConnection } from '../../kit/fault-responses.ts'
import { sendWithFault } from '../../kit/forced-outcome.ts'
import { pageFiles, sendPage } from '../../kit/hosted-page.ts'
import type { IPpay } from '../ippay.ts'
import { errorPage, formPage, returnPage, type Typed } from './form-page.ts'
import { type PageRequest, readPageRequest } from './page-request.ts'
import { findErrors, submitForm } from './submit-form.ts'

/** Registers the hosted page, in which a card or an account is entered and made a token. */
export const hostedRoutes = async (app: FastifyInstance, { ippay }: { ippay: IPpay }): Promise<void> => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  pageFiles(app, import.meta.url, { 'hosted.browser.js': 'javascript', 'hosted.css': 'css' }, '/hosted')

  app.get<{ Querystring: Typed }>('/hosted/', async ({ query }, reply) => {
    const fault = ippay.faults.take('ippay', 'hosted')
    if (fault !== undefined) return sendPage(reply, errorPage('The payment page is not available.'), 503)
    const request = readPageRequest(query)
    return request === undefined
      ? sendPage(reply, errorPage('This page was not opened by its merchant.'), 400)
      : sendPage(reply, formPage(request, {}, {}))
  })

  app.post<{ Body: Typed }>('/hosted/', async ({ body }, reply) => {
    const request = readPageRequest(body)
    if (request === undefined) return sendPage(reply, errorPage('This page was not opened by its merchant.'), 400)
    const errors = findErrors(request, body)
    return Object.keys(errors).length > 0 ? sendPage(reply, formPage(request, body, errors)) : submit(ippay, reply, request, body)
  })
}

/** Makes the token unless the fault prevents it, and sends the page that posts the outcome to the merchant. */
const submit = async (ippay: IPpay, reply: FastifyReply, request: PageRequest, typed: Typed): Promise<FastifyReply | void> => {
  const fault = ippay.faults.take('ippay', 'tokenise')
  if (fault?.kind === 'refuse') return cutConnection(reply)
  const isRun = fault === undefined || fault.booked || fault.kind === 'decline'
  const session = ippay.openSession(request.cid)
  const fields = isRun ? submitForm(session, request, typed, fault?.kind === 'decline' && !fault.booked) : undefined
  return sendWithFault<Readonly<Record<string, string>>>(reply, {
    fault,
    answer: fields ?? { jp_tid: request.jp_tid, ActionCode: '992', ResponseText: 'TRANSACTION TIMEOUT' },
    send: (returned) => sendPage(reply, returnPage(request.retUrl, returned)),
    fail: () => sendPage(reply, errorPage('The payment page is not available.'), 500),
    tamper: (returned) => returned,
  })
}
