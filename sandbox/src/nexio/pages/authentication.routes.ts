import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { authenticationForm, sendHostedPage } from '../../kit/hosted-page.ts'
import { notFound } from '../api/nexio-error.ts'
import type { Nexio } from '../nexio.ts'
import { fromMinor } from '../store/amounts.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { type Authentication, finishAuthentication, returnUrlWithResult, waitingCharge } from '../transactions/authentication.ts'
import type { Charge } from '../transactions/charge.ts'

const PATH = '/3ds/:id'

/** Registers the bank's page, on which the customer completes or fails the authentication and then returns to the merchant. */
export const authenticationRoutes = (app: FastifyInstance, nexio: Nexio): void => {
  app.get(PATH, async (request, reply) => {
    const { session, authentication } = loadAuthentication(nexio, request)
    const charge = waitingCharge(authentication, session.now)
    return sendBankPage(reply, charge === undefined ? resultContent(session, authentication) : authenticationForm(purposeText(charge)))
  })

  app.post(PATH, async (request, reply) => {
    const { session, authentication } = loadAuthentication(nexio, request)
    const isAuthenticated = new URLSearchParams(String(request.body ?? '')).get('outcome') === 'complete'
    const finished = finishAuthentication(session, authentication, isAuthenticated)
    await nexio.webhooks.sendAround(reply, session)
    const url = returnUrlWithResult(session, finished)
    return url === undefined ? sendBankPage(reply, resultContent(session, finished)) : reply.redirect(url, 303)
  })
}

/** The authentication of the URL path's id, in a session of its account. @throws NexioError when no account has it */
const loadAuthentication = (nexio: Nexio, request: FastifyRequest): { session: NexioSession; authentication: Authentication } => {
  const { id } = request.params as { id: string }
  const found = nexio.findInAnyAccount<Authentication>('authentication', id)
  if (found === undefined) throw notFound()
  return { session: nexio.openSession(found.account), authentication: found.object }
}

/** Sends a page of the bank with this content. */
const sendBankPage = (reply: FastifyReply, content: Markup): FastifyReply =>
  sendHostedPage(reply, { company: 'Nexio', title: '3-D Secure', content })

/** The sentence that tells the customer of the payment. */
const purposeText = ({ amount, currency }: Charge): string =>
  `A payment of ${currency} ${fromMinor(amount, currency)} is to be made with this card.`

/** The page's content when nothing is left to decide, with a link back to the merchant. */
const resultContent = (session: NexioSession, authentication: Authentication): Markup => {
  const url = returnUrlWithResult(session, authentication)
  return html`<p>Nothing is left to do here.</p>${url === undefined ? '' : html`<a class="button" href="${url}">Go back</a>`}`
}
